import type { TSchema } from 'typebox';
import { type InternalAccess, isInternal, isOpen } from '../../api/access.ts';
import { type DescribedOperation, idempotencyRuleOf, takesIfMatch } from '../../api/operation.ts';
import { errorCodesOf, errorResponses, errorSchemas, sharedErrorResponses } from './error-responses.ts';
import { type SchemaPublisher, schemaPublisher } from './published-schema.ts';
import {
  headerComponents,
  headerRefs,
  isConditionalRead,
  listenerHeadersOf,
  unknownNameHeadersOf,
} from './response-headers.ts';

type Json = Record<string, unknown>;

const json = 'application/json';

function operationObject(
  operation: DescribedOperation,
  securityName: string,
  publisher: SchemaPublisher,
): Json {
  const { id, tag, summary } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${operation.description}\n\n${accessSentence(operation)}`,
    security: securityOf(operation, securityName),
    parameters: [
      ...parametersIn('path', operation.params, publisher),
      ...parametersIn('query', operation.query, publisher),
      ...parametersIn('header', operation.kind === 'stream' ? operation.headers : undefined, publisher),
      ...idempotencyParameter(operation),
      ...(isConditionalRead(operation) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
      ...(takesIfMatch(operation) ? [ifMatch] : []),
      { $ref: '#/components/parameters/Prefer' },
    ],
    ...requestBody(operation, publisher),
    responses: { ...successResponses(operation, publisher), ...errorResponses(operation) },
  };
}

function accessSentence({ access, method }: DescribedOperation): string {
  if (isOpen(access)) return 'Requires no token.';
  if (access === 'signed-in') return 'Any role.';
  if (isInternal(access)) return internalAccessSentence(access, method);
  if (access.length === 0) return 'Requires a valid API key; no scope.';
  return `Requires the scope ${access.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

function internalAccessSentence(access: InternalAccess, method: string): string {
  if (access === 'administrators') return 'Roles: administrator.';
  const roles = method === 'GET' ? 'administrator, operator, support' : 'administrator, operator';
  const reach =
    access === 'filtered-by-brand'
      ? 'sees only what belongs to its brands'
      : 'receives 404 for other brands than its own';
  return `Roles: ${roles}. A caller that is restricted to some brands ${reach}.`;
}

/** The accepted scopes in OpenAPI's form: one requirement per scope, any of which is sufficient. */
function securityOf({ access }: DescribedOperation, name: string): Json[] {
  if (isOpen(access)) return [];
  if (isInternal(access) || access.length === 0) return [{ [name]: [] }];
  return access.map((scope) => ({ [name]: [scope] }));
}

function parametersIn(
  location: 'path' | 'query' | 'header',
  schema: TSchema | undefined,
  publisher: SchemaPublisher,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, TSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...published } = publisher.schema(property);
    const [example] = (examples ?? []) as unknown[];
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: published,
      ...(example !== undefined && { example }),
    };
  });
}

/** A streamed body can have other media types than JSON; the description covers their content. */
function requestBody(operation: DescribedOperation, publisher: SchemaPublisher): Json {
  const { body, bodyExample } = operation;
  const others = operation.kind === 'stream' ? operation.contentTypes.filter((type) => type !== json) : [];
  if (body === undefined && others.length === 0) return {};
  const content = {
    ...(body !== undefined && contentOf(publisher.schema(body), bodyExample)),
    ...Object.fromEntries(others.map((type) => [type, textContent(operation)])),
  };
  return { requestBody: { required: operation.bodyOptional !== true, content } };
}

/** A newline-delimited body with one item of the JSON body per line. */
function textContent({ bodyExample }: DescribedOperation): Json {
  const { items = [] } = (bodyExample ?? {}) as { items?: readonly unknown[] };
  const example = items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return { schema: { type: 'string' }, ...(example !== '' && { example }) };
}

function idempotencyParameter(operation: DescribedOperation): Json[] {
  const rule = idempotencyRuleOf(operation);
  if (rule === 'ignored') return [];
  // Not shared between operations: a common example would be one key used twice [D45].
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: rule === 'required',
      description:
        'One key per operation; send the same key with every attempt. It is kept for 24 hours after success; after a failed request it can be reused at once.',
      schema: { type: 'string', minLength: 1, maxLength: 191, pattern: '^[\\x21-\\x7e]+$' },
      example: `${operation.id}-2026-03-01-1`,
    },
  ];
}

function sharedParameters(operations: readonly DescribedOperation[]): Json {
  return { ...(operations.some(isConditionalRead) && { IfNoneMatch: ifNoneMatch }), Prefer: prefer };
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'One or more `ETag` values that you have kept. The response is 304 if one of them is current.',
  schema: { type: 'string' },
  example: '"k0DmiLXTdv4YQ1nTTuz6Vg"',
};

const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the state that you have read. If that has changed since, the response is 412.',
  schema: { type: 'string' },
  example: '"k0DmiLXTdv4YQ1nTTuz6Vg"',
};

const prefer: Json = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`handling=strict` (RFC 7240) returns a 422 for every unknown body field and query parameter. By default they are ignored and listed in `X-Ignored`.',
  schema: { type: 'string' },
  example: 'handling=strict',
};

function successResponses(operation: DescribedOperation, publisher: SchemaPublisher): Json {
  const headers = headerRefs([
    ...listenerHeadersOf(operation),
    ...unknownNameHeadersOf(200),
    ...(idempotencyRuleOf(operation) !== 'ignored' ? (['Idempotency-Replayed'] as const) : []),
    ...(isConditionalRead(operation) ? (['ETag'] as const) : []),
  ]);
  const responses = Object.entries(operation.responses).map(
    ([status, { description, schema, example, mediaType, headers: own }]) => [
      status,
      {
        description,
        headers: { ...headers, ...own },
        ...(schema !== undefined && { content: contentOf(publisher.schema(schema), example, mediaType) }),
      },
    ],
  );
  return {
    ...Object.fromEntries(responses),
    ...(isConditionalRead(operation) && {
      304: {
        description: 'Nothing has changed since the response that `If-None-Match` identifies.',
        headers: { ...headers, ...operation.responses[200]?.headers },
      },
    }),
  };
}

function contentOf(schema: Json, example: unknown, mediaType = json): Json {
  return { [mediaType]: { schema, ...(example !== undefined && { example }) } };
}

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
}

export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** Builds the OpenAPI 3.1 document from the routes' objects. Path parameters are `:id` in operations, `{id}` here [D2]. */
export function openApiDocument(
  info: DocumentInfo,
  groups: readonly DocumentedOperations[],
): OpenApiDocument {
  const { title, description, version, tags, security } = info;
  const publisher = schemaPublisher();
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
