import type { TSchema } from 'typebox';
import type { AnyOperation, WriteOperation } from '../../api/operation.ts';
import { errorResponses } from './error-responses.ts';
import type { SchemaPublisher } from './published-schema.ts';
import {
  headerRefs,
  isConditionalRead,
  listenerHeadersOf,
  unknownNameHeadersOf,
} from './response-headers.ts';

type Json = Record<string, unknown>;

const json = 'application/json';

/** One operation of the document. `securityName` is the scheme that its access is by. */
export function operationObject(
  operation: AnyOperation,
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
      { $ref: '#/components/parameters/Prefer' },
    ],
    ...requestBody(operation, publisher),
    responses: { ...successResponses(operation, publisher), ...errorResponses(operation) },
  };
}

function accessSentence({ access }: AnyOperation): string {
  if (access === 'admin') return 'Needs the admin token.';
  if (access.length === 0) return 'Needs a valid key, no scope.';
  return `Needs the scope ${access.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

/** The accepted scopes as OpenAPI has it: one requirement each, any of which is enough. */
function securityOf({ access }: AnyOperation, name: string): Json[] {
  if (access === 'admin' || access.length === 0) return [{ [name]: [] }];
  return access.map((scope) => ({ [name]: [scope] }));
}

function parametersIn(
  place: 'path' | 'query' | 'header',
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
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: published,
      ...(example !== undefined && { example }),
    };
  });
}

/** A streamed body may be of other media types than JSON; what those hold, the description says. */
function requestBody(operation: AnyOperation, publisher: SchemaPublisher): Json {
  const { body, bodyExample } = operation;
  const others = operation.kind === 'stream' ? operation.contentTypes.filter((type) => type !== json) : [];
  if (body === undefined && others.length === 0) return {};
  const content = {
    ...(body !== undefined && jsonContent(publisher.schema(body), bodyExample)),
    ...Object.fromEntries(others.map((type) => [type, textContent(operation)])),
  };
  return { requestBody: { required: operation.bodyOptional !== true, content } };
}

/** A text body, one item of the JSON body a line. */
function textContent({ bodyExample }: AnyOperation): Json {
  const { items = [] } = (bodyExample ?? {}) as { items?: readonly unknown[] };
  const example = items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return { schema: { type: 'string' }, ...(example !== '' && { example }) };
}

/** Whether the Idempotency-Key header means something to the operation. */
function takesIdempotencyKey(operation: AnyOperation): operation is WriteOperation<never> {
  return operation.kind === 'write' && operation.access !== 'admin' && operation.idempotency !== 'ignored';
}

function idempotencyParameter(operation: AnyOperation): Json[] {
  if (!takesIdempotencyKey(operation)) return [];
  const isRequired = operation.idempotency === 'required';
  // In each operation and not shared: an example that two operations have in common is a key used twice [D63].
  return [idempotencyKey(isRequired, `${operation.id}-2026-03-01-1`)];
}

/** `components.parameters`: those that the operations refer to. */
export function sharedParameters(operations: readonly AnyOperation[]): Json {
  return { ...(operations.some(isConditionalRead) && { IfNoneMatch: ifNoneMatch }), Prefer: prefer };
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an answer that you have kept, or several. 304 says that it is still what you would get.',
  schema: { type: 'string' },
  example: '"k0DmiLXTdv4YQ1nTTuz6Vg"',
};

const prefer: Json = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`handling=strict` (RFC 7240) makes every field and query parameter that the operation does not know a 422 at its name. Without it they are ignored, and listed in `X-Ignored`.',
  schema: { type: 'string' },
  example: 'handling=strict',
};

function idempotencyKey(required: boolean, example: string): Json {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'One key for each operation, the same for every try of it. Kept for 24 hours once settled; a failed request frees it at once.',
    schema: { type: 'string', minLength: 1, maxLength: 191, pattern: '^[\\x21-\\x7e]+$' },
    example,
  };
}

function successResponses(operation: AnyOperation, publisher: SchemaPublisher): Json {
  const headers = headerRefs([
    ...listenerHeadersOf(operation),
    ...unknownNameHeadersOf(200),
    ...(takesIdempotencyKey(operation) ? (['Idempotency-Replayed'] as const) : []),
    ...(isConditionalRead(operation) ? (['ETag'] as const) : []),
  ]);
  const responses = Object.entries(operation.responses).map(
    ([status, { description, schema, example, headers: own }]) => [
      status,
      {
        description,
        headers: { ...headers, ...own },
        ...(schema !== undefined && { content: jsonContent(publisher.schema(schema), example) }),
      },
    ],
  );
  return {
    ...Object.fromEntries(responses),
    ...(isConditionalRead(operation) && {
      304: { description: 'Nothing has changed since the answer that `If-None-Match` names.', headers },
    }),
  };
}

function jsonContent(schema: Json, example: unknown): Json {
  return { [json]: { schema, ...(example !== undefined && { example }) } };
}
