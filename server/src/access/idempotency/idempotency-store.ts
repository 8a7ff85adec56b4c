import type { Clock } from '../../lib/clock.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { deleteAllRows } from '../../postgres/delete-rows.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { retentionMs } from './idempotency-key.ts';

/**
 * Identifies a key: keys are unique per lineage of API keys, which belongs to one brand [platform-67], and per caller of the
 * internal surface, who has a lineage of no brand (`callerScope`).
 */
export interface IdempotencyScope {
  readonly brandId: number;
  readonly lineageId: number;
  readonly key: string;
}

export interface RecordedRequest {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The public id of the API key; null: a caller of the internal surface. */
  readonly keyId: string | null;
  readonly requestId: string;
}

export interface IdempotencyRecord {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface RecordedResponse {
  readonly scope: IdempotencyScope;
  readonly record: IdempotencyRecord;
  readonly origin: RecordedRequest;
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
 * Stores the responses of writes in the transaction of the writes, replacing expired records of the same keys. Sent with the
 * commit. `createdAt`: from the clock by which the records will expire.
 */
export function insertIdempotencyRecords(
  tx: Transaction,
  responses: readonly RecordedResponse[],
  createdAt: Date,
): void {
  if (responses.length === 0) return;
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
        responses.map(({ scope }) => scope.brandId),
        responses.map(({ scope }) => scope.lineageId),
        responses.map(({ scope }) => scope.key),
        responses.map(({ record }) => record.fingerprint),
        responses.map(({ record }) => record.status),
        responses.map(({ record }) => record.headers),
        responses.map(({ record }) => record.body),
        createdAt,
        responses.map(({ origin }) => origin.method),
        responses.map(({ origin }) => origin.path),
        responses.map(({ origin }) => origin.keyId),
        responses.map(({ origin }) => origin.requestId),
      ],
    ),
  );
}

/** Deletes the records that are older than 24 hours, and returns their number. Processes may run this concurrently. */
export function purgeExpiredIdempotencyRecords(database: Database, clock: Clock): Promise<number> {
  return deleteAllRows(database, {
    name: 'purge_idempotency_records',
    table: 'idempotency_records',
    where: 'created_at <= $1',
    orderBy: 'created_at',
    values: [new Date(clock.now() - retentionMs)],
  });
}

/** `claimed`: the caller runs the write. `running`: another transaction or request has the key. `settled`: it is recorded. */
export type IdempotencyKeyState =
  | { readonly state: 'claimed' }
  | { readonly state: 'running' }
  | ({ readonly state: 'settled' } & IdempotencyRecord);

/** Claims keys until the transaction ends; returns the state of each. Never waits. Records from before `notBefore` are void. */
export async function claimIdempotencyKeys(
  tx: Transaction,
  scopes: readonly IdempotencyScope[],
  notBefore: Date,
): Promise<IdempotencyKeyState[]> {
  if (scopes.length === 0) return [];
  const rows = await tx.run(
    statement<{ n: number } & IdempotencyKeyState>(
      'claim_idempotency_keys',
      'select n, state, fingerprint, status, headers, body from claim_idempotency_keys($1, $2, $3, $4)',
      [
        scopes.map(({ brandId }) => brandId),
        scopes.map(({ lineageId }) => lineageId),
        scopes.map(({ key }) => key),
        notBefore,
      ],
    ),
  );
  const states: IdempotencyKeyState[] = [];
  for (const { n, ...state } of rows) states[n] = state;
  return states;
}
