import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** Identifies a key: keys are unique per lineage of API keys, which belongs to one brand [platform-67]. */
export interface IdempotencyScope {
  readonly brandId: number;
  readonly lineageId: number;
  readonly key: string;
}

/** The request whose response is recorded. */
export interface RecordedRequest {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The public id of the API key. */
  readonly keyId: string;
  readonly requestId: string;
}

export interface IdempotencyRecord {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The response body as sent. */
  readonly body: string;
}

export interface ResponseToRecord {
  readonly record: IdempotencyRecord;
  readonly origin: RecordedRequest;
  /** From the clock by which the record will expire. */
  readonly createdAt: Date;
}

/** `locked`: the caller runs the write. `running`: another transaction holds the lock. `settled`: the record exists. */
export type IdempotencyKeyState =
  | { readonly state: 'locked' }
  | { readonly state: 'running' }
  | ({ readonly state: 'settled' } & IdempotencyRecord);

/**
 * Finds the record of a key that is younger than `notBefore`, or locks the key until the transaction ends. Never
 * waits. One round trip; the steps are in the routine of the same name.
 */
export async function tryLockIdempotencyKey(
  tx: Transaction,
  { brandId, lineageId, key }: IdempotencyScope,
  notBefore: Date,
): Promise<IdempotencyKeyState> {
  const rows = await tx.run(
    statement<IdempotencyKeyState>(
      'try_lock_idempotency_key',
      `select state, fingerprint, status, headers, body from try_lock_idempotency_key($1, $2, $3, $4)`,
      [brandId, lineageId, key, notBefore],
    ),
  );
  return rows[0] as IdempotencyKeyState;
}

/**
 * Like `tryLockIdempotencyKey` for several keys, in two statements. A key that occurs more than once is `locked` for the
 * first request and `running` for the others.
 *
 * A statement that is sent with them, before they are answered, runs for the requests with `isClaimed`: those whose state
 * is `locked`.
 *
 * The records are looked up after the locks were tried, with a newer snapshot: a key that was locked and has no
 * record belongs to this transaction.
 */
export async function tryLockIdempotencyKeys(
  tx: Transaction,
  scopes: readonly IdempotencyScope[],
  notBefore: Date,
): Promise<IdempotencyKeyState[]> {
  const columns = [
    scopes.map(({ brandId }) => brandId),
    scopes.map(({ lineageId }) => lineageId),
    scopes.map(({ key }) => key),
  ];
  // Both are started before either is awaited, so they are sent in one write.
  const [locks, records] = await Promise.all([
    tx.run(
      statement<{ locked: number[]; kept: string }>(
        'try_lock_idempotency_keys',
        `select l.locked, set_config('brandport.locked_keys', l.locked::text, true) as kept
         from (
           select coalesce(array_agg(k.n) filter (where k.is_locked), '{}') as locked
           from (
             select k.n::integer - 1 as n,
               pg_try_advisory_xact_lock(hashtextextended(k.lineage_id || ':' || k.key, k.brand_id))
                 and row_number() over (partition by k.brand_id, k.lineage_id, k.key order by k.n) = 1 as is_locked
             from unnest($1::integer[], $2::bigint[], $3::text[]) with ordinality as k (brand_id, lineage_id, key, n)
           ) k
         ) l`,
        columns,
      ),
    ),
    tx.run(
      statement<{ n: number | null } & IdempotencyRecord>(
        'find_idempotency_records',
        `with found as materialized (
           select k.n::integer - 1 as n, r.fingerprint, r.status, r.headers, r.body
           from unnest($1::integer[], $2::bigint[], $3::text[]) with ordinality as k (brand_id, lineage_id, key, n)
           cross join lateral (
             select i.fingerprint, i.status, i.headers, i.body from idempotency_records i
             where i.brand_id = k.brand_id and i.lineage_id = k.lineage_id and i.idempotency_key = k.key
               and i.created_at > $4
             offset 0
           ) r
         ), claimed as materialized (
           select set_config('brandport.claimed_keys', coalesce(array_agg(l.n), '{}')::text, true) as kept
           from unnest(current_setting('brandport.locked_keys')::integer[]) as l (n)
           where l.n not in (select f.n from found f)
         )
         select f.n, f.fingerprint, f.status, f.headers, f.body from claimed c left join found f on c.kept is not null`,
        [...columns, notBefore],
      ),
    ),
  ]);
  const states = scopes.map((): IdempotencyKeyState => ({ state: 'running' }));
  for (const n of locks[0]?.locked ?? []) states[n] = { state: 'locked' };
  for (const { n, ...record } of records) if (n !== null) states[n] = { state: 'settled', ...record };
  return states;
}

/**
 * Returns the SQL condition that `tryLockIdempotencyKeys` has locked the key at position `n` of its list in this
 * transaction. Outside of such a transaction the condition is an error.
 */
export function isClaimed(n: string): string {
  return `${n} = any ((select current_setting('brandport.claimed_keys')::integer[])::integer[])`;
}

/** Finds the record of a key that is younger than `notBefore`; one short read, without a lock. */
export async function findIdempotencyRecord(
  database: Queryable,
  { brandId, lineageId, key }: IdempotencyScope,
  notBefore: Date,
): Promise<IdempotencyRecord | null> {
  const rows = await database.run(
    statement<IdempotencyRecord>(
      'find_idempotency_record',
      `select fingerprint, status, headers, body from idempotency_records
       where brand_id = $1 and lineage_id = $2 and idempotency_key = $3 and created_at > $4`,
      [brandId, lineageId, key, notBefore],
    ),
  );
  return rows[0] ?? null;
}

/**
 * Stores the response of a write in the write's own transaction, replacing an expired record of the same key.
 */
export function insertIdempotencyRecord(
  tx: Transaction,
  { brandId, lineageId, key }: IdempotencyScope,
  { record, origin, createdAt }: ResponseToRecord,
): void {
  const { method, path, keyId, requestId } = origin;
  tx.queue(
    statement<never>(
      'insert_idempotency_record',
      `insert into idempotency_records
         (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at,
          method, path, key_id, request_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (brand_id, lineage_id, idempotency_key) do update
       set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
           body = excluded.body, created_at = excluded.created_at, method = excluded.method, path = excluded.path,
           key_id = excluded.key_id, request_id = excluded.request_id`,
      [
        ...[
          brandId,
          lineageId,
          key,
          record.fingerprint,
          record.status,
          record.headers,
          record.body,
          createdAt,
        ],
        ...[method, path, keyId, requestId],
      ],
    ),
  );
}

/** A response to record. */
export interface KeptResponse {
  readonly scope: IdempotencyScope;
  readonly record: IdempotencyRecord;
  readonly origin: RecordedRequest;
}

/** Stores the responses of several writes like `insertIdempotencyRecord`, in one statement. */
export function insertIdempotencyRecords(
  tx: Transaction,
  kept: readonly KeptResponse[],
  createdAt: Date,
): void {
  tx.queue(
    statement<never>(
      'insert_idempotency_records',
      `insert into idempotency_records
         (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at,
          method, path, key_id, request_id)
       select k.brand_id, k.lineage_id, k.key, k.fingerprint, k.status, k.headers, k.body, $8, k.method, k.path, k.key_id,
         k.request_id
       from unnest($1::integer[], $2::bigint[], $3::text[], $4::bytea[], $5::smallint[], $6::jsonb[], $7::text[], $9::text[],
           $10::text[], $11::text[], $12::text[])
         as k (brand_id, lineage_id, key, fingerprint, status, headers, body, method, path, key_id, request_id)
       on conflict (brand_id, lineage_id, idempotency_key) do update
       set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
           body = excluded.body, created_at = excluded.created_at, method = excluded.method, path = excluded.path,
           key_id = excluded.key_id, request_id = excluded.request_id`,
      [
        kept.map(({ scope }) => scope.brandId),
        kept.map(({ scope }) => scope.lineageId),
        kept.map(({ scope }) => scope.key),
        kept.map(({ record }) => record.fingerprint),
        kept.map(({ record }) => record.status),
        kept.map(({ record }) => record.headers),
        kept.map(({ record }) => record.body),
        createdAt,
        kept.map(({ origin }) => origin.method),
        kept.map(({ origin }) => origin.path),
        kept.map(({ origin }) => origin.keyId),
        kept.map(({ origin }) => origin.requestId),
      ],
    ),
  );
}

/**
 * Deletes up to `limit` records that are older than `notAfter`, across brands, and returns their number. Small
 * batches keep transactions short, which vacuum requires.
 */
export async function purgeIdempotencyRecords(
  tx: Transaction,
  notAfter: Date,
  limit: number,
): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'purge_idempotency_records',
      `with old as (
         select ctid from idempotency_records
         where created_at <= $1
         order by created_at
         limit $2
         for update skip locked
       ), gone as (
         delete from idempotency_records r using old where r.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [notAfter, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}
