import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';

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

export function errorBodySchema(codes: readonly ErrorCode[]): Json {
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
export function errorName(code: ErrorCode): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
