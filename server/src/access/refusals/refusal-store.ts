import type { BrandReach } from '../../api/access.ts';
import type { Page } from '../../api/pagination.ts';
import { orderOf, type Sort } from '../../api/sort.ts';
import type { TimeRange } from '../../api/time-range.ts';
import type { FieldErrors } from '../../errors/api-error.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { deleteRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { PendingRefusal } from './refusal.ts';

/** Rows that are kept of a brand. */
const mostOfBrand = 10_000;
/** Rows of one call at most: those that waited while the database was unavailable. */
const mostAdded = 1_000;
// Any number that is no other advisory lock of the same database.
const refusalsLock = 4_217_736;

export interface BrandRefusal extends PendingRefusal {
  readonly brandId: number;
}

/** Locks the numbers of refusals, so that one process at a time adds rows. */
async function lockRefusals(tx: Transaction): Promise<void> {
  await tx.run(statement('lock_refusals', `select pg_advisory_xact_lock(${refusalsLock})`));
}

/**
 * Adds refusals with the lock, the oldest first, and drops the oldest of a brand beyond its 10,000: numbers are consecutive, so
 * the primary key finds them. Counts are added to the row of the same minute, key and code; no two refusals may be of one such
 * row.
 */
async function addRefusals(tx: Transaction, refusals: readonly BrandRefusal[]): Promise<void> {
  await tx.run(
    statement<never>(
      'add_refusals',
      `with news as (
         select n.* from rows from (
           jsonb_to_recordset($1::jsonb) as (brand_id integer, at timestamptz, request_id text, key_id text,
             operation text, method text, path text, status smallint, code text, reason text, fields text[], address inet,
             count integer, minute timestamptz, message text, errors jsonb, required_scopes text[])
         ) with ordinality as n
         join brands b on b.id = n.brand_id
       ), merged as (
         update refusals r set count = r.count + n.count from news n
         where r.brand_id = n.brand_id and r.key_id = n.key_id and r.code = n.code and r.minute = n.minute
           and r.minute is not null
         returning r.brand_id, r.key_id, r.code, r.minute
       ), added as (
         insert into refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, reason, fields,
           address, count, minute, message, errors, required_scopes)
         select n.brand_id,
           coalesce((select max(l.id) from refusals l where l.brand_id = n.brand_id), 0)
             + row_number() over (partition by n.brand_id order by n.at, n.ordinality),
           n.at, n.request_id, n.key_id, n.operation, n.method, n.path, n.status, n.code, n.reason, n.fields, n.address,
           n.count, n.minute, n.message, n.errors, n.required_scopes
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

function rowOf({ brandId, requestId, keyId, at, minute, address, requiredScopes, ...same }: BrandRefusal) {
  return {
    ...same,
    brand_id: brandId,
    request_id: requestId,
    key_id: keyId,
    at: new Date(at).toISOString(),
    minute: minute === null ? null : new Date(minute).toISOString(),
    address: address === '' ? null : address,
    required_scopes: requiredScopes,
  };
}

/** Drops up to `limit` refusals from before the given time, the oldest first, and returns their number. */
export function dropRefusals(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = { name: 'drop_refusals', table: 'refusals', where: 'at < $1', orderBy: 'at', values: [before] };
  return deleteRows(tx, old, limit);
}

/** The classes of statuses that a list of refusals can be filtered by. */
export const statusClasses = ['4xx', '5xx'] as const;

export type StatusClass = (typeof statusClasses)[number];

export interface RefusalFilter extends TimeRange {
  readonly brandId?: number | undefined;
  /** null: all. */
  readonly brandIds?: BrandReach;
  readonly keyId?: string | undefined;
  readonly status?: number | undefined;
  readonly statusClass?: StatusClass | undefined;
  readonly code?: string | undefined;
  readonly operation?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface RefusalRow {
  readonly at: Date;
  readonly brandId: number;
  readonly brandName: string;
  readonly requestId: string;
  readonly keyId: string;
  /** null: the key is deleted. */
  readonly keyName: string | null;
  readonly keyScopes: readonly string[] | null;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly reason: string | null;
  readonly message: string | null;
  readonly requiredScopes: readonly string[];
  readonly fields: readonly string[];
  readonly errors: FieldErrors;
  readonly count: number;
  readonly address: string | null;
}

/** The columns of `refusals r`. */
const refusalColumnsWith = (count: string) => `r.at, r.brand_id as "brandId",
  (select b.name from brands b where b.id = r.brand_id) as "brandName", r.request_id as "requestId", r.key_id as "keyId",
  (select k.name from api_keys k where k.key_id = r.key_id) as "keyName",
  (select k.scopes from api_keys k where k.key_id = r.key_id) as "keyScopes",
  r.operation, r.method, r.path, r.status, r.code, r.reason, r.message,
  coalesce(r.required_scopes, '{}') as "requiredScopes", r.fields, coalesce(r.errors, '{}') as errors, ${count} as count,
  host(r.address) as address`;
const refusalColumns = refusalColumnsWith('r.count');

export const refusalSortColumns = {
  at: ['r.at', 'r.id', 'r.brand_id'],
  status: 'r.status',
  operation: 'r.operation',
  count: 'r.count',
} as const;

type RefusalSort = Sort<keyof typeof refusalSortColumns>;

const newestFirst = 'r.at desc, r.id desc, r.brand_id desc';

/**
 * Lists one page of refusals, newest first unless sorted, and counts all. Brand, key, request and time have an index; the other
 * filters and orders read the rows of these: at most 10,000 of a brand, 10 ms; of a million 0.8 s [D370].
 */
export async function listRefusals(
  database: Queryable,
  filter: RefusalFilter,
  page: Page,
  sort?: RefusalSort,
): Promise<{ rows: RefusalRow[]; total: number }> {
  const where = conditionsOf(filter);
  const { code, orderBy } = orderOf(refusalSortColumns, sort, newestFirst);
  const name = `refusals${where.code}${code}`;
  return readPage<RefusalRow>(
    database,
    { name, columns: refusalColumns, from: 'refusals r', where, orderBy },
    page,
  );
}

function conditionsOf({
  brandId,
  brandIds = null,
  keyId,
  status,
  statusClass,
  code,
  operation,
  requestId,
  from,
  to,
}: RefusalFilter): Conditions {
  const where = new Conditions([], []);
  where.add('_of_brand', (parameter) => `r.brand_id = ${parameter}`, brandId);
  where.addBrands('r.brand_id', brandIds);
  where.add('_of_key', (parameter) => `r.key_id = ${parameter}`, keyId);
  where.add('_by_status', (parameter) => `r.status = ${parameter}`, status);
  if (statusClass !== undefined) {
    const first = 100 * Number(statusClass[0]);
    where.addFixed(`_of_${statusClass}`, `r.status between ${first} and ${first + 99}`);
  }
  where.add('_by_code', (parameter) => `r.code = ${parameter}`, code);
  where.add('_by_operation', (parameter) => `r.operation = ${parameter}`, operation);
  where.add('_by_request', (parameter) => `r.request_id = ${parameter}`, requestId);
  where.add('_from', (parameter) => `r.at >= ${parameter}::timestamptz`, from);
  where.add('_to', (parameter) => `r.at <= ${parameter}::timestamptz`, to);
  return where;
}

/** A row of equal refusals: the last of them, with the requests of all. */
export interface RefusalGroup extends RefusalRow {
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** The refusals that are grouped at most: all of a brand. */
export const mostGrouped = 20_000;

const groupSortColumns = {
  at: 'g.last_at',
  status: 'g.status',
  operation: 'g.operation',
  count: 'g.count',
} as const satisfies Record<keyof typeof refusalSortColumns, string>;

/**
 * Lists one page of refusals, equal ones as one row, the last refused first unless sorted, and counts the rows. Refusals are
 * equal by key, operation, status, code and names of fields. Only the newest 20,000 that match are grouped, so that a journal of
 * any size takes as long: 80 ms of a million rows.
 */
export async function listRefusalGroups(
  database: Queryable,
  filter: RefusalFilter,
  page: Page,
  sort?: RefusalSort,
): Promise<{ rows: RefusalGroup[]; total: number }> {
  const where = conditionsOf(filter);
  const groups = `(
    select n.brand_id, n.operation, n.status, sum(n.count)::bigint as count, min(n.at) as first_at, max(n.at) as last_at,
      (array_agg(n.id order by n.at desc, n.id desc))[1] as id
    from (
      select r.brand_id, r.id, r.at, r.key_id, r.operation, r.status, r.code, r.fields, r.count
      from refusals r${where.sql === '' ? '' : ` where ${where.sql}`}
      order by ${newestFirst} limit ${mostGrouped}
    ) as n
    group by n.brand_id, n.key_id, n.operation, n.status, n.code, n.fields
  ) as g join refusals r on r.brand_id = g.brand_id and r.id = g.id`;
  const { code, orderBy } = orderOf(groupSortColumns, sort, 'g.last_at desc, g.brand_id, g.id desc');
  const list = {
    name: `refusal_groups${where.code}${code}`,
    columns: `${refusalColumnsWith('g.count')}, g.first_at as "firstAt", g.last_at as "lastAt"`,
    from: groups,
    where: new Conditions([], where.values),
    orderBy,
  };
  return readPage<RefusalGroup>(database, list, page);
}

/** Writes refusals of keys. */
export async function writeRefusals(database: Database, refusals: readonly BrandRefusal[]): Promise<void> {
  await database.transaction(async (tx) => {
    await lockRefusals(tx);
    await addRefusals(tx, refusals);
  });
}
