import { type Static, Type } from 'typebox';
import {
  DayOrInstant,
  ExactFilter,
  exampleIds,
  NamedObject,
  Nullable,
  Timestamp,
} from '../../api/field-schemas.ts';
import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { sortQuery } from '../../api/sort.ts';
import { timeRangeFromWire } from '../../api/time-range.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath, brandQuery } from '../../brands/brand-wire.ts';
import type { Queryable } from '../../postgres/database.ts';
import { refusalReasons } from './refusal.ts';
import {
  listRefusalGroups,
  listRefusals,
  mostGrouped,
  type RefusalFilter,
  type RefusalGroup,
  type RefusalRow,
  refusalSortColumns,
  type StatusClass,
  statusClasses,
} from './refusal-store.ts';

const RefusalQuery = Type.Object({
  key_id: ExactFilter({
    description: 'Only refusals of the key with this public id.',
    examples: [exampleIds.key],
  }),
  status: Type.Optional(
    Type.Integer({
      minimum: 400,
      maximum: 599,
      description: 'Only refusals with this status.',
      examples: [422],
    }),
  ),
  status_class: Type.Optional(
    Type.Unsafe<StatusClass>({
      type: 'string',
      enum: [...statusClasses],
      description: 'Only refusals with a status of this class.',
      examples: ['5xx'],
    }),
  ),
  code: ExactFilter({
    description: 'Only refusals with this error code.',
    examples: ['validation_failed'],
  }),
  operation: ExactFilter({
    description: 'Only refusals of the operation with this operationId.',
    examples: ['createProduct'],
  }),
  request_id: ExactFilter({
    description: 'Only refusals of requests with this `X-Request-Id`.',
    examples: [exampleIds.request],
  }),
  from: Type.Optional(
    DayOrInstant({
      description: 'Only refusals since this UTC day or instant, inclusive.',
      examples: ['2026-03-01'],
    }),
  ),
  to: Type.Optional(
    DayOrInstant({
      description: 'Only refusals until this UTC day or instant, inclusive.',
      examples: ['2026-03-31'],
    }),
  ),
  group: Type.Optional(
    Type.Boolean({
      description: `\`true\`: equal refusals as one row, the last refused first: those of one key, operation, status, code and the same
fields. The newest ${mostGrouped} refusals that match are grouped.`,
      examples: [true],
    }),
  ),
  ...sortQuery(refusalSortColumns, '`-at`, newest first'),
  ...pageQuery,
});

const AllRefusalsQuery = Type.Object({ ...brandQuery, ...RefusalQuery.properties });

export const RefusalWire = NamedObject('Refusal', {
  at: Timestamp({
    description: 'When the request was answered; of several in a minute, the first; of a group, the last.',
  }),
  first_at: Type.Optional(Timestamp({ description: 'With `group`: the first of the equal refusals.' })),
  last_at: Type.Optional(Timestamp({ description: 'With `group`: the last of them, as `at`.' })),
  brand_id: Type.Integer(),
  brand_name: Type.String(),
  request_id: Type.String({
    description:
      'The `X-Request-Id` of the response; of several in a minute, of the first; of a group, of the last.',
  }),
  key_id: Type.String({ description: 'The public id of the key, which may be deleted by now.' }),
  key_name: Nullable(Type.String(), { description: 'null: the key is deleted.' }),
  key_scopes: Nullable(Type.Array(Type.String()), {
    description: 'The scopes that the key has now; null: the key is deleted.',
  }),
  operation: Nullable(Type.String(), {
    description: 'The operationId of the client API; null: the path has no operation.',
  }),
  method: Type.String(),
  path: Type.String({ description: 'The path as it was sent, without the query, cut at 255 characters.' }),
  status: Type.Integer(),
  code: Type.String({ description: 'The error code.' }),
  reason: Nullable(Type.String(), {
    description: `Why the key was refused with 401: ${refusalReasons.map((reason) => `\`${reason}\``).join(', ')}; otherwise null.`,
  }),
  message: Nullable(Type.String(), {
    description: 'The message of the response, at most 255 characters. null: recorded by version 0.2.',
  }),
  required_scopes: Type.Array(Type.String(), {
    description:
      'The scopes that permit the request: the key needs one of them. Empty unless the status is 403.',
  }),
  fields: Type.Array(Type.String(), {
    description: 'The names of the fields at fault, at most 20, never their values.',
  }),
  errors: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'The messages of these fields, at most three of each.',
  }),
  count: Type.Integer({
    minimum: 1,
    description:
      'The requests that the row counts: those of a minute, key and code for 401 and 429, those of a group, otherwise 1.',
  }),
  address: Nullable(Type.String(), { description: 'The client’s address.' }),
});

const refusalExample: Static<typeof RefusalWire> = {
  at: '2026-03-01T08:30:00.118Z',
  brand_id: 1,
  brand_name: 'Maison Aurore',
  request_id: '3c1c7f0e-8c55-4b39-9a53-1f7f1e6f4b0a',
  key_id: exampleIds.key,
  key_name: 'PIM',
  key_scopes: ['catalog.products:read', 'catalog.products:write'],
  operation: 'createProduct',
  method: 'POST',
  path: '/v1/client/catalog/products',
  status: 422,
  code: 'validation_failed',
  reason: null,
  message: 'The request is not valid.',
  required_scopes: [],
  fields: ['price.value', 'sku'],
  errors: { 'price.value': ['must be at least 0'], sku: ['is required'] },
  count: 1,
  address: '203.0.113.7',
};

/** @throws ApiError `validation_failed` on `from` if the range ends before it begins */
function refusalFilterFromWire(query: Static<typeof AllRefusalsQuery>): RefusalFilter {
  const { brand_id: brandId, key_id: keyId, status, code, operation, request_id: requestId } = query;
  const statusClass = query.status_class;
  return { brandId, keyId, status, statusClass, code, operation, requestId, ...timeRangeFromWire(query) };
}

function refusalToWire(row: RefusalRow): Static<typeof RefusalWire> {
  return {
    at: row.at.toISOString(),
    brand_id: row.brandId,
    brand_name: row.brandName,
    request_id: row.requestId,
    key_id: row.keyId,
    key_name: row.keyName,
    key_scopes: row.keyScopes === null ? null : [...row.keyScopes],
    operation: row.operation,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    reason: row.reason,
    message: row.message,
    required_scopes: [...row.requiredScopes],
    fields: [...row.fields],
    errors: Object.fromEntries(Object.entries(row.errors).map(([name, messages]) => [name, [...messages]])),
    count: row.count,
    address: row.address,
  };
}

function refusalGroupToWire(row: RefusalGroup): Static<typeof RefusalWire> {
  const { firstAt, lastAt } = row;
  return { ...refusalToWire(row), first_at: firstAt.toISOString(), last_at: lastAt.toISOString() };
}

function replyTo(database: Queryable, query: Static<typeof RefusalQuery>, filter: RefusalFilter) {
  return query.group === true
    ? pageReply(query, (page) => listRefusalGroups(database, filter, page, query.sort), refusalGroupToWire)
    : pageReply(query, (page) => listRefusals(database, filter, page, query.sort), refusalToWire);
}

/** Shows which requests of a brand's keys failed, and why [internal-181]. */
const listRefusalsOperation = readOperation({
  id: 'listRefusals',
  method: 'GET',
  path: '/brands/:id/refusals',
  tag: 'API keys',
  summary: 'List the refused requests of a brand',
  description: `Lists the requests with a key of the brand that were answered with 4xx or 5xx, newest first, also of revoked and
expired keys. A request without the key's secret, or to a path that does not exist, is of no key:
\`GET /refusals/unverified\` counts those. 401s and 429s of a key share a row a minute. At most 10,000 are kept, for
\`BRANDPORT_KEEP_REFUSALS\`, at most 50 a second of each process; the usage of the keys counts all. They appear within a second or two.`,
  access: 'one-brand',
  params: BrandParams,
  query: RefusalQuery,
  responses: {
    200: {
      description: 'One page of refusals.',
      schema: listOf(RefusalWire, 'RefusalPage'),
      example: exampleListOf(refusalExample),
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    return replyTo(database, query, refusalFilterFromWire({ ...query, brand_id: brandId }));
  },
});

/** [internal-200] */
const listAllRefusalsOperation = readOperation({
  id: 'listAllRefusals',
  method: 'GET',
  path: '/refusals',
  tag: 'API keys',
  summary: 'List the refused requests of all brands',
  description: 'Lists the refusals of all brands that the caller may see, as the list of a brand does.',
  access: 'filtered-by-brand',
  query: AllRefusalsQuery,
  responses: {
    200: {
      description: 'One page of refusals.',
      schema: listOf(RefusalWire, 'RefusalPage'),
      example: exampleListOf(refusalExample),
    },
  },
  handle: ({ database }, { query, brandIds }) =>
    replyTo(database, query, { ...refusalFilterFromWire(query), brandIds }),
});

export const refusalOperations: readonly Operation[] = [listRefusalsOperation, listAllRefusalsOperation];
