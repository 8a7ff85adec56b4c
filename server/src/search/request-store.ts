import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';

/** Something that a request has written, or its refusal. The fields beyond the first three depend on the kind. */
export interface RequestTrace {
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
 * Lists what requests with an id have written and how they were refused, in any brand, oldest first; at most 200 rows of each
 * kind, each kind by its index. Empty for a request that only read, or that nothing was stored for.
 */
export async function listRequestTraces(database: Queryable, requestId: string): Promise<RequestTrace[]> {
  const kinds = Object.entries(selections) as [RequestTrace['kind'], string][];
  const found = await Promise.all(
    kinds.map(async ([kind, selection]) => {
      const rows = await database.run(
        statement<Omit<RequestTrace, 'kind'>>(
          `list_request_traces/${kind}`,
          `select t.at, t.brand_id as "brandId", t.fields from (${selection}) as t order by t.at limit ${mostOfKind}`,
          [requestId],
          { long: true },
        ),
      );
      return rows.map((row): RequestTrace => ({ kind, ...row }));
    }),
  );
  return found.flat().sort((a, b) => a.at.getTime() - b.at.getTime());
}
