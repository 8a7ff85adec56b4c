import { Type } from 'typebox';
import type { BrandReach } from '../api/access.ts';
import { exampleIds, NamedObject, Nullable, Timestamp } from '../api/field-schemas.ts';
import { type Operation, readOperation } from '../api/operation.ts';
import { notFound } from '../errors/api-error.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';

/** Something that a request has written, or its refusal. The fields beyond the first three depend on the kind. */
interface RequestTrace {
  readonly kind: 'stock_movement' | 'stock_feed' | 'idempotency_key' | 'audit_entry' | 'refusal';
  readonly at: Date;
  readonly brandId: number | null;
  readonly fields: Readonly<Record<string, string | number | null | readonly string[]>>;
}

/** A request writes at most a few rows; clients that send one id with every request have many. */
const mostOfKind = 200;

const selections: Readonly<Record<RequestTrace['kind'], string>> = {
  stock_movement: `select m.created_at as at, m.brand_id, json_build_object('id', m.id, 'product_tu_id', p.tu_id, 'sku', m.sku,
      'location', m.location_code, 'quantity_before', m.quantity_before, 'quantity_after', m.quantity_after,
      'key_id', m.key_id) as fields
    from stock_movements m
    join products p on p.brand_id = m.brand_id and p.id = m.product_id
    where m.request_id = $1`,
  stock_feed: `select f.received_at as at, f.brand_id, json_build_object('feed_id', f.tu_id, 'source_batch_id', f.batch_id,
      'status', f.status, 'received_lines', f.received_lines, 'key_id', f.submitted_by) as fields
    from stock_feeds f
    where f.request_id = $1`,
  idempotency_key: `select i.created_at as at, nullif(i.brand_id, 0) as brand_id, json_build_object('key', i.idempotency_key,
      'method', i.method, 'path', i.path, 'status', i.status, 'key_id', i.key_id) as fields
    from idempotency_records i
    where i.request_id = $1`,
  audit_entry: `select a.at, a.brand_id, json_build_object('id', a.id, 'action', a.action, 'resource_type', a.resource_type,
      'resource_id', a.resource_id, 'actor', a.actor) as fields
    from audit_entries a
    where a.request_id = $1`,
  refusal: `select r.at, r.brand_id, json_build_object('request_id', r.request_id, 'key_id', r.key_id,
      'operation', r.operation, 'method', r.method, 'path', r.path, 'status', r.status, 'code', r.code, 'reason', r.reason,
      'fields', r.fields, 'count', r.count, 'address', r.address, 'message', r.message, 'errors', coalesce(r.errors, '{}'),
      'required_scopes', coalesce(r.required_scopes, '{}'),
      'brand_name', (select b.name from brands b where b.id = r.brand_id),
      'key_name', (select k.name from api_keys k where k.key_id = r.key_id),
      'key_scopes', (select k.scopes from api_keys k where k.key_id = r.key_id)) as fields
    from refusals r
    where r.request_id = $1`,
};

/**
 * Lists what requests with an id have written and how they were refused, in the brands in reach, oldest first; at most 200 rows
 * of each kind, each kind by its index. Empty for a request that only read, or that nothing was stored for.
 */
async function listRequestTraces(
  database: Queryable,
  requestId: string,
  brandIds: BrandReach,
): Promise<RequestTrace[]> {
  const kinds = Object.entries(selections) as [RequestTrace['kind'], string][];
  const found = await Promise.all(
    kinds.map(async ([kind, selection]) => {
      const rows = await database.run(
        statement<Omit<RequestTrace, 'kind'>>(
          `list_request_traces/${kind}`,
          `select t.at, t.brand_id as "brandId", t.fields from (${selection}) as t
           where $2::integer[] is null or t.brand_id = any($2::integer[])
           order by t.at limit ${mostOfKind}`,
          [requestId, brandIds],
          { long: true },
        ),
      );
      return rows.map((row): RequestTrace => ({ kind, ...row }));
    }),
  );
  return found.flat().sort((a, b) => a.at.getTime() - b.at.getTime());
}

const requestId = exampleIds.request;

const RequestTraceWire = Type.Object(
  {
    kind: Type.String({
      enum: ['stock_movement', 'stock_feed', 'idempotency_key', 'audit_entry', 'refusal'],
    }),
    at: Timestamp(),
    brand_id: Nullable(Type.Integer()),
  },
  {
    additionalProperties: true,
    description:
      'The row that was written; its other fields depend on `kind` and name the row. A `refusal` has the fields of the list of refusals.',
  },
);

const RequestWire = NamedObject('RequestTraces', {
  request_id: Type.String(),
  entries: Type.Array(RequestTraceWire),
});

/** Leads from a request id to all that the request has written, or to its refusal [internal-73]. */
const getRequestOperation = readOperation({
  id: 'getRequest',
  method: 'GET',
  path: '/requests/:requestId',
  tag: 'Audit',
  summary: 'Look up a request',
  description: `Returns everything that was written by requests with this \`X-Request-Id\`, oldest first, at most 200 rows of each kind: stock
movements, stock feeds, recorded responses of the last 24 hours, audit entries, and refused requests of keys as long as they are kept. A
request that only read has left nothing and returns 404, as do repeated 401s and 429s of a minute, which the first one counts.`,
  access: 'filtered-by-brand',
  params: Type.Object({
    requestId: Type.String({
      pattern: '^[A-Za-z0-9._-]{1,128}$',
      description: 'The `X-Request-Id` of the response.',
      examples: [requestId],
    }),
  }),
  responses: {
    200: {
      description: 'The rows that the request has written.',
      schema: RequestWire,
      example: {
        request_id: requestId,
        entries: [
          {
            kind: 'stock_movement',
            at: '2026-03-02T10:00:00.000Z',
            brand_id: 1,
            id: 90210,
            product_tu_id: exampleIds.product,
            sku: 'TEE-001-red-m',
            location: 'WH-BERLIN',
            quantity_before: 42,
            quantity_after: 40,
            key_id: 'tuk_5f0c1b2a3d4e5f60718293a4',
          },
        ],
      },
    },
  },
  handle: async ({ database }, { params, brandIds }) => {
    const traces = await listRequestTraces(database, params.requestId, brandIds);
    if (traces.length === 0) throw notFound();
    const entries = traces.map(({ kind, at, brandId, fields }) => ({
      kind,
      at: at.toISOString(),
      brand_id: brandId,
      ...fields,
    }));
    return { status: 200, body: { request_id: params.requestId, entries } };
  },
});

export const requestOperations: readonly Operation[] = [getRequestOperation];
