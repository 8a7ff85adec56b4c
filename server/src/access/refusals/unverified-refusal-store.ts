import type { Page } from '../../api/pagination.ts';
import { orderOf, type Sort } from '../../api/sort.ts';
import type { TimeRange } from '../../api/time-range.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { deleteRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { UnverifiedCount } from './unverified-refusals.ts';

/** Rows that are kept: a flood of strangers fills no disk. */
const mostRows = 10_000;
/** Rows that one write drops: more than it adds. */
const mostDropped = 5_000;

/**
 * Adds counts to those of the same minute, network and reason, which other processes may have written, and drops the oldest rows
 * beyond 10,000 [internal-208].
 */
export async function addUnverifiedRefusals(
  database: Database,
  counts: readonly UnverifiedCount[],
): Promise<void> {
  await database.transaction(async (tx) => {
    tx.queue(
      statement(
        'add_unverified_refusals',
        `insert into unverified_refusals as u (minute, network, reason, count)
         select n.minute, n.network, n.reason, n.count
         from jsonb_to_recordset($1::jsonb) as n (minute timestamptz, network text, reason text, count integer)
         order by n.minute, n.network, n.reason
         on conflict (minute, network, reason) do update set count = u.count + excluded.count`,
        [JSON.stringify(counts)],
      ),
    );
    await tx.run(
      statement<never>(
        'drop_unverified_refusals_beyond',
        `delete from unverified_refusals where ctid = any(array(
           select ctid from unverified_refusals order by minute desc, network desc, reason desc
           offset ${mostRows} limit ${mostDropped}
         ))`,
        [],
      ),
    );
  });
}

/** Drops up to `limit` rows from before the given time, the oldest first, and returns their number. */
export function dropUnverifiedRefusals(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = {
    name: 'drop_unverified_refusals',
    table: 'unverified_refusals',
    where: 'minute < $1',
    orderBy: 'minute',
    values: [before],
  };
  return deleteRows(tx, old, limit);
}

export interface UnverifiedFilter extends TimeRange {
  readonly network?: string | undefined;
  readonly reason?: string | undefined;
}

const latestFirst = 'u.minute desc, u.network desc, u.reason desc';

export const unverifiedSortColumns = {
  minute: ['u.minute', 'u.network', 'u.reason'],
  network: 'u.network',
  count: 'u.count',
} as const;

/** Lists one page, the latest minute first unless sorted, and counts all: of at most 10,000 rows. */
export function listUnverifiedRefusals(
  database: Queryable,
  { network, reason, from, to }: UnverifiedFilter,
  page: Page,
  sort?: Sort<keyof typeof unverifiedSortColumns>,
): Promise<{ rows: UnverifiedCount[]; total: number }> {
  const where = new Conditions([], []);
  where.add('_of_network', (parameter) => `u.network = ${parameter}`, network);
  where.add('_by_reason', (parameter) => `u.reason = ${parameter}`, reason);
  where.add('_from', (parameter) => `u.minute >= ${parameter}::timestamptz`, from);
  where.add('_to', (parameter) => `u.minute <= ${parameter}::timestamptz`, to);
  const { code, orderBy } = orderOf(unverifiedSortColumns, sort, latestFirst);
  const list = {
    name: `unverified_refusals${where.code}${code}`,
    columns: 'u.minute, u.network, u.reason, u.count',
    from: 'unverified_refusals u',
    where,
    orderBy,
  };
  return readPage<UnverifiedCount>(database, list, page);
}
