import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

export interface KeyUse {
  readonly state: 'running' | 'settled';
  /** The request that was recorded; null while it runs, and in records from before requests were recorded. */
  readonly method: string | null;
  readonly path: string | null;
  readonly keyId: string | null;
  readonly requestId: string | null;
  /** The recorded response; null while the request runs. */
  readonly response: { readonly status: number; readonly body: string; readonly createdAt: Date } | null;
}

interface Row extends Omit<KeyUse, 'state' | 'response'> {
  readonly status: number | null;
  readonly body: string | null;
  readonly createdAt: Date | null;
}

/**
 * Lists the uses of a key by the brand's lineages, newest first: records younger than `notBefore`, and requests that run now.
 * These hold the advisory lock of `try_lock_idempotency_key`, which `pg_locks` shows.
 */
export async function listKeyUses(
  database: Queryable,
  { brandId, key }: { readonly brandId: number; readonly key: string },
  notBefore: Date,
): Promise<KeyUse[]> {
  const rows = await database.run(
    statement<Row>(
      'list_idempotency_key_uses',
      `select r.method, r.path, r.key_id as "keyId", r.request_id as "requestId", r.status, r.body, r.created_at as "createdAt"
       from (
         select distinct a.lineage_id from api_keys a where a.brand_id = $1
         union
         select i.lineage_id from idempotency_records i where i.brand_id = $1 and i.idempotency_key = $2
       ) as k
       left join lateral (
         select i.method, i.path, i.key_id, i.request_id, i.status, i.body, i.created_at from idempotency_records i
         where i.brand_id = $1 and i.lineage_id = k.lineage_id and i.idempotency_key = $2 and i.created_at > $3
       ) as r on true
       where r.created_at is not null or exists (
         select from pg_locks l
         where l.locktype = 'advisory' and l.granted and l.objsubid = 1
           and l.database = (select d.oid from pg_database d where d.datname = current_database())
           and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(k.lineage_id || ':' || $2, $1)
       )
       order by r.created_at desc nulls first, k.lineage_id desc`,
      [brandId, key, notBefore],
      { long: true },
    ),
  );
  return rows.map(({ status, body, createdAt, ...request }) => ({
    state: createdAt === null ? 'running' : 'settled',
    ...request,
    response: createdAt === null ? null : { status: status as number, body: body as string, createdAt },
  }));
}
