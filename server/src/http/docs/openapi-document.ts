import type { DescribedOperation } from '../../api/operation.ts';
import { errorCodesOf } from './error-codes.ts';
import { sharedErrorResponses } from './error-responses.ts';
import { errorSchemas } from './error-schemas.ts';
import { operationObject, sharedParameters } from './operation-object.ts';
import { type NamedSchemas, schemaPublisher } from './published-schema.ts';
import { headerComponents } from './response-headers.ts';

export interface DocumentedOperations {
  /** Prepended to every path of the list. */
  readonly prefix: string;
  readonly operations: readonly DescribedOperation[];
}

export interface DocumentInfo {
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly version: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** The only bearer scheme. */
  readonly security: { readonly name: string; readonly description: string; readonly format: string };
  /** Schemas that are referenced by name instead of being repeated. */
  readonly schemas: NamedSchemas;
}

export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** Builds the OpenAPI 3.1 document from the routes' objects. Path parameters are `:id` in operations, `{id}` here [D2]. */
export function openApiDocument(
  info: DocumentInfo,
  groups: readonly DocumentedOperations[],
): OpenApiDocument {
  const { title, description, version, tags, security } = info;
  const publisher = schemaPublisher(info.schemas);
  const operations = groups.flatMap((group) => group.operations);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { prefix, operations } of groups) {
    for (const operation of operations) {
      const path = (prefix + operation.path).replaceAll(/:(\w+)/g, '{$1}');
      paths[path] ??= {};
      paths[path][operation.method.toLowerCase()] = operationObject(operation, security.name, publisher);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The server that returned this document.' }],
    tags,
    security: [{ [security.name]: [] }],
    paths,
    components: {
      securitySchemes: {
        [security.name]: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: security.format,
          description: security.description,
        },
      },
      schemas: { ...errorSchemas(operations.flatMap(errorCodesOf)), ...publisher.components() },
      parameters: sharedParameters(operations),
      headers: headerComponents(operations),
      responses: sharedErrorResponses(operations),
    },
  };
}

export function documentText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
