import type { TSchema } from 'typebox';
import type { Operation } from '../../api/operation.ts';
import { errorCatalogue } from '../../errors/error-catalogue.ts';
import { errorCodesOf } from './error-codes.ts';
import {
  errorSchema,
  idempotencyKeyParameter,
  rateLimitHeaders,
  replayHeader,
  standardHeaders,
} from './shared-parts.ts';

export interface DocumentedOperations {
  /** Stands before every path of the list. */
  readonly prefix: string;
  readonly operations: readonly Operation[];
}

export interface DocumentInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Name and description of the one bearer scheme. */
  readonly security: { readonly name: string; readonly description: string };
}

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document, made from the same objects that the routes are made from, so that it cannot say anything
 * else than what is served.
 */
export function openApiDocument(info: DocumentInfo, groups: readonly DocumentedOperations[]): Json {
  const paths: Record<string, Json> = {};
  for (const { prefix, operations } of groups) {
    for (const operation of operations) {
      const path = (prefix + operation.path).replaceAll(/:(\w+)/g, '{$1}');
      paths[path] ??= {};
      (paths[path] as Json)[operation.method.toLowerCase()] = describeOperation(operation);
    }
  }
  const { title, description, version, tags, security } = info;
  return {
    openapi: '3.1.0',
    info: {
      title,
      description,
      version,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The server that answers this document.' }],
    tags,
    security: [{ [security.name]: [] }],
    paths,
    components: {
      securitySchemes: {
        [security.name]: { type: 'http', scheme: 'bearer', description: security.description },
      },
      schemas: { Error: errorSchema },
      headers: { ...standardHeaders, ...rateLimitHeaders, 'Idempotency-Replayed': replayHeader },
    },
  };
}

function describeOperation(operation: Operation): Json {
  const { id, tag, summary, body, bodyExample } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${operation.description}\n\n${accessSentence(operation)}`,
    parameters: [
      ...parametersIn('path', operation.params, true),
      ...parametersIn('query', operation.query, false),
      ...idempotencyParameter(operation),
    ],
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: body, ...(bodyExample !== undefined && { example: bodyExample }) },
        },
      },
    }),
    responses: { ...successResponses(operation), ...errorResponses(operation) },
  };
}

function accessSentence({ access }: Operation): string {
  if (access === 'admin') return 'Needs the admin token.';
  if (access.length === 0) return 'Needs a valid key, no scope.';
  return `Needs the scope ${access.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

function parametersIn(place: 'path' | 'query', schema: TSchema | undefined, required: boolean): Json[] {
  const { properties } = (schema ?? {}) as { properties?: Record<string, Json> };
  return Object.entries(properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    schema: property,
  }));
}

function idempotencyParameter(operation: Operation): Json[] {
  if (operation.kind === 'read' || operation.access === 'admin' || operation.idempotency === 'ignored')
    return [];
  return [{ ...idempotencyKeyParameter, required: operation.idempotency === 'required' }];
}

function headerRefs(operation: Operation, replayable: boolean): Json {
  const names = [
    ...Object.keys(standardHeaders),
    ...(operation.access === 'admin' ? [] : Object.keys(rateLimitHeaders)),
    ...(replayable ? ['Idempotency-Replayed'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function successResponses(operation: Operation): Json {
  const replayable = idempotencyParameter(operation).length > 0;
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, { description, schema, example }]) => [
      status,
      {
        description,
        headers: headerRefs(operation, replayable),
        ...(schema !== undefined && {
          content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
        }),
      },
    ]),
  );
}

function errorResponses(operation: Operation): Json {
  const byStatus = Object.groupBy(errorCodesOf(operation), (code) => String(errorCatalogue[code].status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].cause}`).join('\n\n'),
        headers: headerRefs(operation, false),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: { code, message: errorCatalogue[code].message } }]),
            ),
          },
        },
      },
    ]),
  );
}
