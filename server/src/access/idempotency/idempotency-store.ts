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
