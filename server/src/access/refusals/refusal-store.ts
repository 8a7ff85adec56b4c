import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { PendingRefusal } from './refusal.ts';

/** Rows that are kept of a brand. */
const mostOfBrand = 10_000;
/** Rows of one call at most: those that waited while the database was unavailable. */
const mostAdded = 1_000;
// Any number that is no other advisory lock of the same database.
const refusalsLock = 4_217_736;

/** The brand of a refusal is known. */
export interface BrandRefusal extends PendingRefusal {
  readonly brandId: number;
}

/** Locks the numbers of refusals, so that one process at a time adds rows. */
export async function lockRefusals(tx: Transaction): Promise<void> {
  await tx.run(statement('lock_refusals', `select pg_advisory_xact_lock(${refusalsLock})`));
}

/**
 * Adds refusals, with the lock, and drops the oldest of a brand beyond its 10,000: numbers are consecutive, so the primary key
 * finds them, with a limit, since the planner read the whole table for a join. Counts are added to the row of the same minute,
 * key and code; no two refusals may be of one such row.
 */
export async function addRefusals(tx: Transaction, refusals: readonly BrandRefusal[]): Promise<void> {
  await tx.run(
    statement<never>(
      'add_refusals',
      `with news as (
         select n.* from jsonb_to_recordset($1::jsonb) as n (brand_id integer, at timestamptz, request_id text, key_id text,
           operation text, method text, path text, status smallint, code text, reason text, fields text[], address inet,
           count integer, minute timestamptz)
         join brands b on b.id = n.brand_id
       ), merged as (
         update refusals r set count = r.count + n.count from news n
         where r.brand_id = n.brand_id and r.key_id = n.key_id and r.code = n.code and r.minute = n.minute
           and r.minute is not null
         returning r.brand_id, r.key_id, r.code, r.minute
       ), added as (
         insert into refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, reason, fields,
           address, count, minute)
         select n.brand_id,
           coalesce((select max(l.id) from refusals l where l.brand_id = n.brand_id), 0)
             + row_number() over (partition by n.brand_id order by n.at),
           n.at, n.request_id, n.key_id, n.operation, n.method, n.path, n.status, n.code, n.reason, n.fields, n.address,
           n.count, n.minute
         from news n
         where not exists (
           select from merged m
           where m.brand_id = n.brand_id and m.key_id = n.key_id and m.code = n.code and m.minute = n.minute
         )
         returning brand_id, id
       )
       delete from refusals where ctid = any(array(
         select o.ctid from (select brand_id, max(id) as latest from added group by brand_id) as a
         cross join lateral (
           select l.ctid from refusals l where l.brand_id = a.brand_id and l.id <= a.latest - ${mostOfBrand}
           order by l.id limit ${mostAdded}
         ) as o
       ))`,
      [JSON.stringify(refusals.map(rowOf))],
    ),
  );
}

function rowOf({ brandId, requestId, keyId, at, minute, address, ...same }: BrandRefusal) {
  return {
    ...same,
    brand_id: brandId,
    request_id: requestId,
    key_id: keyId,
    at: new Date(at).toISOString(),
    minute: minute === null ? null : new Date(minute).toISOString(),
    address: address === '' ? null : address,
  };
}

/**
 * Drops up to `limit` refusals from before the given time, the oldest first, and returns their number; less than `limit`: none
 * are left. Skips rows that another transaction is dropping.
 */
export async function dropRefusals(tx: Transaction, before: Date, limit: number): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'drop_refusals',
      `with old as (
         select ctid from refusals where at < $1 order by at limit $2 for update skip locked
       ), gone as (
         delete from refusals r using old where r.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [before, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}
