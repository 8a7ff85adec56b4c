import type { TSchema } from 'typebox';
import { readIdempotencyKey } from '../../access/idempotency/idempotency-key.ts';
import { isInternal, isOpen } from '../../api/access.ts';
import { exampleIds } from '../../api/field-schemas.ts';
import { type DescribedOperation, type IdempotencyRule, idempotencyRuleOf } from '../../api/operation.ts';
import { type UnknownName, unknownNameFinder, unknownNameMessage } from '../../api/unknown-names.ts';
import { ApiError, invalidField, rejectedStale } from '../../errors/api-error.ts';
import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';
import { errorBody } from '../error-handler.ts';
import { unmetExpectation } from '../protocol-faults.ts';
import { createValidatorCompiler } from '../validation/validator.ts';
import { errorHeadersOf, headerRefs, listenerHeadersOf } from './response-headers.ts';

export function errorCodesOf(operation: DescribedOperation): ErrorCode[] {
  const { access } = operation;
  const byKey = !isInternal(access);
  const idempotency = idempotencyRuleOf(operation);
  const codes: ErrorCode[] = ['bad_request', 'unauthenticated', 'server_error', 'service_unavailable'];
  // Every operation refuses unknown names under strict handling.
  codes.push('validation_failed');
  if (byKey) codes.push('rate_limited');
  if (byKey && access.length > 0) codes.push('insufficient_scope');
  if (isInternal(access) && !isOpen(access) && access !== 'signed-in') codes.push('forbidden');
  if (isInternal(access) && !isOpen(access)) codes.push('rate_limited');
  if (operation.params !== undefined) codes.push('not_found');
  // A body is read wherever the method may have one, also where the operation takes none [D64].
  if (operation.method !== 'GET')
    codes.push('payload_too_large', 'unsupported_media_type', 'request_timeout');
  if (idempotency !== 'ignored') codes.push('idempotency_key_reuse', 'idempotency_conflict');
  if (idempotency === 'required') codes.push('idempotency_key_required');
  return [...new Set([...codes, ...(operation.errors ?? [])])];
}

/** Error codes for requests that reach no operation, and when each applies. */
export const generalCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  bad_request: 'Requests that are not valid HTTP, on any path.',
  not_found: 'Requests to a path that does not exist. No key is needed.',
  method_not_allowed: 'Requests to an existing path with an unsupported method.',
  request_timeout: 'Requests whose headers do not arrive in time.',
  rate_limited: 'Requests from a client address that has sent too many requests without a valid key.',
};

/**
 * Returns the error responses of an operation as pairs of status and codes: those of the catalogue, plus 417 for `bad_request` on
 * an unsupported expectation [platform-73].
 */
function errorStatusesOf(operation: DescribedOperation): [number, readonly ErrorCode[]][] {
  const statuses: [number, readonly ErrorCode[]][] = [
    ...codesByStatus(errorCodesOf(operation)),
    [417, ['bad_request']],
  ];
  return statuses.sort(([a], [b]) => a - b);
}

export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const all = Object.keys(errorCatalogue) as ErrorCode[];
  const byStatus = Map.groupBy(
    all.filter((code) => codes.includes(code)),
    (code): number => errorCatalogue[code].status,
  );
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

type Json = Record<string, unknown>;

/** The open envelope [platform-15], which a client uses for codes that it does not know yet. */
function apiError(): Json {
  return {
    type: 'object',
    description:
      'The envelope of every error. Branch on `code`, never on `message`. Codes and additional keys may be added: handle an unknown `code` by its HTTP status.',
    required: ['code', 'message', 'doc_url'],
    properties: {
      code: { anyOf: [{ $ref: '#/components/schemas/ErrorCode' }, { type: 'string' }] },
      message: { type: 'string', description: 'For humans.' },
      doc_url: {
        type: 'string',
        description: 'The path of the page about the code, on the host of the request.',
      },
    },
  };
}

/** Keys that some codes carry in addition to `code` and `message`. Those in `required` are always present. */
const furtherKeys: Readonly<Partial<Record<ErrorCode, { properties: Json; required: readonly string[] }>>> = {
  validation_failed: {
    properties: {
      errors: {
        type: 'object',
        description:
          'Messages by field, at most 100 fields. A nested field is a dotted path with indexes, such as `axes.0.code`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
    required: ['errors'],
  },
  duplicate_sku: {
    properties: {
      conflict: {
        type: 'object',
        description: 'The resource that owns the SKU. Only for keys with `catalog.products:read`.',
        required: ['kind', 'tu_id', 'is_deleted'],
        properties: {
          kind: { type: 'string', enum: ['product', 'variant'] },
          tu_id: { type: 'string' },
          is_deleted: { type: 'boolean' },
        },
      },
    },
    required: [],
  },
  stock_version_conflict: {
    properties: { current_quantity: { type: 'integer', description: 'The current quantity.' } },
    required: ['current_quantity'],
  },
  rejected_stale: {
    properties: {
      source_updated_at: {
        type: 'string',
        format: 'date-time',
        description: 'Until this time, the level is closed for earlier ones.',
      },
    },
    required: ['source_updated_at'],
  },
};

/**
 * `components.schemas` for errors: the open `ApiError`, `ErrorCode` with the codes of this version, and one schema for
 * each of `codes` whose `code` is a constant, so that a switch on it narrows in generated types [D44].
 */
export function errorSchemas(codes: readonly ErrorCode[]): Record<string, Json> {
  const used = Object.keys(errorCatalogue).filter((code) => codes.includes(code as ErrorCode)) as ErrorCode[];
  return {
    ApiError: apiError(),
    ErrorCode: {
      type: 'string',
      description: 'The codes of this version. More may be added.',
      enum: Object.keys(errorCatalogue),
    },
    ...Object.fromEntries(used.map((code) => [errorName(code), errorSchema(code)])),
  };
}

function errorSchema(code: ErrorCode): Json {
  const { properties = {}, required = [] } = furtherKeys[code] ?? {};
  return {
    description: errorCatalogue[code].cause,
    allOf: [
      { $ref: '#/components/schemas/ApiError' },
      {
        type: 'object',
        required: ['code', ...required],
        properties: { code: { type: 'string', const: code }, ...properties },
      },
    ],
  };
}

function errorBodySchema(codes: readonly ErrorCode[]): Json {
  const references = codes.map((code) => `#/components/schemas/${errorName(code)}`);
  if (references.length === 1) return { $ref: references[0] };
  return {
    oneOf: references.map(($ref) => ({ $ref })),
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(codes.map((code, index) => [code, references[index]])),
    },
  };
}

/** Names a code for schemas and responses: `duplicate_sku` becomes `DuplicateSku`. */
function errorName(code: ErrorCode): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function errorExample(
  operation: DescribedOperation,
  code: ErrorCode,
  status: number,
): Record<string, unknown> {
  return errorBody(exampleOf(operation, code, status), isInternal(operation.access) ? 'internal' : 'client');
}

function exampleOf(operation: DescribedOperation, code: ErrorCode, status: number): ApiError {
  if (status === 417) return unmetExpectation();
  if (code === 'validation_failed') return validationExample(operation);
  if (code === 'insufficient_scope' && !isInternal(operation.access))
    return new ApiError(code, {
      message: `This endpoint requires the scope ${operation.access.join(' or ')}.`,
    });
  if (code === 'rejected_stale') return rejectedStale('2026-03-02T11:00:00.000Z');
  const extra = exampleKeys[code];
  return new ApiError(code, extra && { extra });
}

const exampleKeys: Readonly<Partial<Record<ErrorCode, Record<string, unknown>>>> = {
  duplicate_sku: { conflict: { kind: 'product', tu_id: exampleIds.product, is_deleted: false } },
  stock_version_conflict: { current_quantity: 12 },
};

/** Returns whether the example is the same for every operation that returns the code. */
function isSharedExample(code: ErrorCode): boolean {
  return code !== 'validation_failed' && code !== 'insufficient_scope';
}

/** Returns the validator's own messages for a request that breaks a rule of this operation. */
function validationExample({ body, query, ...operation }: DescribedOperation): ApiError {
  const error =
    (body && refusal('body', body, [{}, ...oneFieldEach(body, '')])) ??
    (query &&
      refusal(
        'querystring',
        query,
        ['x', '\u0000'].flatMap((value) => oneFieldEach(query, value)),
      )) ??
    keyRefusal(idempotencyRuleOf(operation as DescribedOperation));
  return error ?? strictRefusal(query);
}

/** Returns the refusal of an operation without body and query: an unknown name under strict handling. */
function strictRefusal(query: TSchema | undefined): ApiError {
  const [unknown] = unknownNameFinder(query)({ verbose: '1' }, 1) as [UnknownName];
  return invalidField(unknown.path, unknownNameMessage(unknown, 'query parameter'));
}

function oneFieldEach(schema: TSchema, value: string): object[] {
  const { properties = {} } = schema as { properties?: object };
  return Object.keys(properties).map((name) => ({ [name]: value }));
}

/** Returns the validator's error for the first of the values that it rejects. */
function refusal(httpPart: string, schema: TSchema, values: readonly object[]): ApiError | undefined {
  const validate = createValidatorCompiler()({ httpPart, schema, method: 'POST', url: '/' });
  for (const value of values) {
    const { error } = validate(value) as { error?: unknown };
    if (error instanceof ApiError) return error;
  }
  return undefined;
}

function keyRefusal(rule: IdempotencyRule): ApiError | undefined {
  try {
    readIdempotencyKey('no spaces', rule);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  return undefined;
}

/** Returns the error responses of an operation by status. Responses that are the same everywhere are references. */
export function errorResponses(operation: DescribedOperation): Record<string, Json> {
  const responses = errorStatusesOf(operation).map(([status, codes]) => {
    const name = sharedName(status, codes);
    return [
      String(status),
      name === null ? errorResponse(operation, status, codes) : { $ref: `#/components/responses/${name}` },
    ];
  });
  return Object.fromEntries(responses);
}

export function sharedErrorResponses(operations: readonly DescribedOperation[]): Record<string, Json> {
  const shared = new Map<string, Json>();
  for (const operation of operations)
    for (const [status, codes] of errorStatusesOf(operation)) {
      const name = sharedName(status, codes);
      if (name !== null && !shared.has(name)) shared.set(name, errorResponse(operation, status, codes));
    }
  return Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A single code such as `duplicate_sku` becomes `DuplicateSku`; several codes under one status belong to the operation. */
function sharedName(status: number, codes: readonly ErrorCode[]): string | null {
  if (status === 417) return 'ExpectationFailed';
  const [code, second] = codes;
  if (code === undefined || second !== undefined || !isSharedExample(code)) return null;
  return errorName(code);
}

function errorResponse(operation: DescribedOperation, status: number, codes: readonly ErrorCode[]): Json {
  const causes = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].cause}`);
  return {
    description: causes.length === 1 ? causes[0] : causes.map((cause) => `- ${cause}`).join('\n'),
    headers: headerRefs([...listenerHeadersOf(operation), ...errorHeadersOf(codes)]),
    content: {
      'application/json': {
        schema: errorBodySchema(codes),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: errorExample(operation, code, status) }]),
        ),
      },
    },
  };
}
