import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../lib/secrets.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { deleteAllRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { retentionMs } from './idempotency-key.ts';

/** An Idempotency-Key with its owner: a lineage of API keys, which belongs to one brand [platform-67]. */
interface LineageScope {
  readonly brandId: number;
  readonly lineageId: number;
  readonly key: string;
}

/** An Idempotency-Key with its owner: a caller of the internal surface, by the name that the audit has [internal-185]. */
interface ActorScope {
  readonly actor: string;
  readonly key: string;
}

/** Identifies a key: it is unique for its owner. */
export type IdempotencyScope = LineageScope | ActorScope;

/** Names a scope, as a key of a `Map`. */
export function nameScope(scope: IdempotencyScope): string {
  return 'actor' in scope ? `${scope.actor} ${scope.key}` : `${scope.lineageId} ${scope.key}`;
}

/**
 * Returns the primary key of a scope's record. Records of actors stand in the table as those of brand 0, which does not exist.
 * Their lineage is 48 bits of a digest, a safe integer. The fingerprint has the whole name: of two with one digest, the second
 * is refused.
 */
function primaryKeyOf(scope: IdempotencyScope): readonly [brandId: number, lineageId: number, key: string] {
  return 'actor' in scope
    ? [0, sha256(scope.actor).readUIntBE(0, 6), scope.key]
    : [scope.brandId, scope.lineageId, scope.key];
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

interface RecordedResponse {
  readonly scope: IdempotencyScope;
  readonly record: IdempotencyRecord;
  readonly origin: RecordedRequest;
}

/** Finds the record of a key that is younger than `notBefore`; one short read, without a lock. */
export async function findIdempotencyRecord(
  database: Queryable,
  scope: IdempotencyScope,
  notBefore: Date,
): Promise<IdempotencyRecord | null> {
  const rows = await database.run(
    statement<IdempotencyRecord>(
      'find_idempotency_record',
      `select fingerprint, status, headers, body from idempotency_records
       where brand_id = $1 and lineage_id = $2 and idempotency_key = $3 and created_at > $4`,
      [...primaryKeyOf(scope), notBefore],
    ),
  );
  return rows[0] ?? null;
}

const recordColumns = [
  'brand_id',
  'lineage_id',
  'idempotency_key',
  'fingerprint',
  'status',
  'headers',
  'body',
  'created_at',
  'method',
  'path',
  'key_id',
  'request_id',
] as const;

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
  const rows = responses.map(
    (_, n) => `(${recordColumns.map((__, c) => `$${n * recordColumns.length + c + 1}`)})`,
  );
  const changed = recordColumns.slice(3).map((column) => `${column} = excluded.${column}`);
  tx.queue(
    statement<never>(
      `insert_${responses.length}_idempotency_records`,
      `insert into idempotency_records (${recordColumns.join(', ')}) values ${rows.join(', ')}
       on conflict (brand_id, lineage_id, idempotency_key) do update set ${changed.join(', ')}`,
      responses.flatMap(({ scope, record, origin }) => [
        ...primaryKeyOf(scope),
        record.fingerprint,
        record.status,
        record.headers,
        record.body,
        createdAt,
        origin.method,
        origin.path,
        origin.keyId,
        origin.requestId,
      ]),
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

/**
 * Claims keys until the transaction ends, and returns the state of each; of equal ones, only the first is claimed.
 * Never waits: the locks are advisory, and a crash blocks no key. Records from before `notBefore` are void.
 */
export async function claimIdempotencyKeys(
  tx: Transaction,
  scopes: readonly IdempotencyScope[],
  notBefore: Date,
): Promise<IdempotencyKeyState[]> {
  if (scopes.length === 0) return [];
  const primaryKeys = scopes.map(primaryKeyOf);
  const keys = [
    primaryKeys.map(([brandId]) => brandId),
    primaryKeys.map(([, lineageId]) => lineageId),
    primaryKeys.map(([, , key]) => key),
  ];
  const given =
    'unnest($1::integer[], $2::bigint[], $3::text[]) with ordinality as k (brand_id, lineage_id, key, n)';
  // The second statement begins when the locks were tried, and so sees what their last holders have committed.
  const [locks, records] = await Promise.all([
    tx.run(
      statement<{ claimed: boolean }>(
        'lock_idempotency_keys',
        `select pg_try_advisory_xact_lock(hashtextextended(k.lineage_id || ':' || k.key, k.brand_id)) as claimed
         from ${given} order by k.n`,
        keys,
      ),
    ),
    tx.run(
      statement<IdempotencyRecord & { n: number }>(
        'find_idempotency_records',
        // Each by its whole key ("offset 0"): of a brand that the statistics do not know, all records would be read.
        `select k.n, r.fingerprint, r.status, r.headers, r.body
         from ${given}
         cross join lateral (
           select i.fingerprint, i.status, i.headers, i.body from idempotency_records i
           where i.brand_id = k.brand_id and i.lineage_id = k.lineage_id and i.idempotency_key = k.key and i.created_at > $4
           offset 0
         ) r`,
        [...keys, notBefore],
      ),
    ),
  ]);
  const settled = new Map(records.map(({ n, ...record }) => [n - 1, record]));
  const firsts = new Map(scopes.map((scope, n) => [nameScope(scope), n] as const).reverse());
  return scopes.map((scope, n) => {
    const record = settled.get(n);
    if (record !== undefined) return { state: 'settled', ...record };
    const isFirst = firsts.get(nameScope(scope)) === n;
    return { state: isFirst && locks[n]?.claimed === true ? 'claimed' : 'running' };
  });
}

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
 * These hold the advisory lock of their key, which `pg_locks` shows.
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
