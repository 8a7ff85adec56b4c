import type { Page } from '../api/pagination.ts';
import { orderOf, type Sort } from '../api/sort.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Database } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { LearnerItem, LearnerRow } from './directory-wire.ts';

/** Two statements for any number of items, whose markets are checked; null clears a market, absent keeps it [internal-30]. */
export async function upsertLearners(
  tx: Transaction,
  brandId: number,
  items: readonly LearnerItem[],
): Promise<OptOutChange[]> {
  const values = [
    brandId,
    items.map(({ tu_id }) => tu_id),
    items.map(({ market }) => market ?? null),
    items.map(({ analytics_opt_out }) => analytics_opt_out ?? null),
  ];
  const setsMarket = items.map(({ market }) => market !== undefined);
  const inserted = await tx.run(
    statement<OptOutChange>(
      'insert_learners',
      `insert into learners (brand_id, tu_id, market_id, analytics_opt_out)
       select $1, i.tu_id, m.id, coalesce(i.opt_out, false)
       from unnest($2::text[], $3::text[], $4::boolean[]) as i (tu_id, market, opt_out)
       left join markets m on m.brand_id = $1 and m.tu_id = i.market
       order by i.tu_id collate "C"
       on conflict (brand_id, tu_id) do nothing
       returning tu_id as "tuId", null::boolean as "from", analytics_opt_out as "to"`,
      values,
    ),
  );
  const changed = await tx.run(
    statement<OptOutChange>(
      'change_learners',
      `update learners l
       set market_id = case when i.sets_market then m.id else l.market_id end,
           analytics_opt_out = coalesce(i.opt_out, l.analytics_opt_out),
           updated_at = now_ms()
       from unnest($2::text[], $3::text[], $4::boolean[], $5::boolean[]) as i (tu_id, market, opt_out, sets_market)
       left join markets m on m.brand_id = $1 and m.tu_id = i.market
       join learners before on before.brand_id = $1 and before.tu_id = i.tu_id
       where l.brand_id = $1 and l.tu_id = i.tu_id
         and (i.sets_market and l.market_id is distinct from m.id
           or l.analytics_opt_out <> coalesce(i.opt_out, l.analytics_opt_out))
       returning l.tu_id as "tuId", before.analytics_opt_out as "from", l.analytics_opt_out as "to"`,
      [...values, setsMarket],
    ),
  );
  return [...inserted.filter(({ to }) => to), ...changed.filter(({ from, to }) => from !== to)];
}

/** A learner who was opted out, or in again. */
export interface OptOutChange {
  readonly tuId: string;
  /** null: the learner is new. */
  readonly from: boolean | null;
  readonly to: boolean;
}

/** Returns those of the given market ids that the brand has. The rows cannot be deleted until the commit. */
export async function lockMarkets(
  tx: Transaction,
  brandId: number,
  tuIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.run(
    statement<{ tuId: string }>(
      'lock_markets',
      'select tu_id as "tuId" from markets where brand_id = $1 and tu_id = any($2::text[]) order by id for key share',
      [brandId, tuIds],
    ),
  );
  return new Set(rows.map(({ tuId }) => tuId));
}

interface LockedLearner {
  readonly id: number;
  readonly isServed: boolean;
  /** True if a change of the learner waits until the revisions of the days have moved. */
  readonly hasChanges: boolean;
}

/** Locks a learner against ingestion of events and changes of the opt-out; null if the brand has none with this id. */
export async function lockLearner(
  tx: Transaction,
  brandId: number,
  tuId: string,
): Promise<LockedLearner | null> {
  const [learner] = await tx.run(
    statement<Omit<LockedLearner, 'hasChanges'>>(
      'lock_learner',
      'select id, not analytics_opt_out as "isServed" from learners where brand_id = $1 and tu_id = $2 for update',
      [brandId, tuId],
    ),
  );
  if (learner === undefined) return null;
  // A separate statement: that of the lock may have begun before another transaction changed the learner.
  const changes = await tx.run(
    statement<{ waits: boolean }>(
      'has_learner_changes',
      `select exists (
         select from directory_changes where brand_id = $1 and kind = 'learner' and subject_id = $2
       ) as waits`,
      [brandId, learner.id],
    ),
  );
  return { ...learner, hasChanges: changes[0]?.waits === true };
}

export async function deleteLearner(tx: Transaction, brandId: number, id: number): Promise<void> {
  await tx.run(
    statement<never>('delete_learner', 'delete from learners where brand_id = $1 and id = $2', [brandId, id]),
  );
}

interface LearnerFilter {
  readonly brandId: number;
  readonly tuId?: string | undefined;
  readonly isOptedOut?: boolean | undefined;
  readonly market?: string | undefined;
}

const learnerColumns = `l.tu_id as "tuId", m.tu_id as market, l.analytics_opt_out as "isOptedOut",
  l.created_at as "createdAt", l.updated_at as "updatedAt"`;
const learnersWithMarket = 'learners l left join markets m on m.brand_id = l.brand_id and m.id = l.market_id';

export const learnerSortColumns = { tu_id: ['l.tu_id'] } as const;

/** Lists one page of a brand's learners that match the filter, by id, and counts all; the count reads what it counts. */
export function listLearners(
  database: Database,
  { brandId, tuId, isOptedOut, market }: LearnerFilter,
  page: Page,
  sort?: Sort<keyof typeof learnerSortColumns>,
): Promise<{ rows: LearnerRow[]; total: number }> {
  // Without a parameter, so that the partial index of opted-out learners applies.
  const optOut = { true: ['l.analytics_opt_out'], false: ['not l.analytics_opt_out'], undefined: [] };
  const where = new Conditions(['l.brand_id = $1', ...optOut[`${isOptedOut}`]], [brandId]);
  where.add('_by_id', (parameter) => `l.tu_id = ${parameter}`, tuId);
  where.add(
    '_by_market',
    (parameter) => `l.market_id = (select id from markets where brand_id = $1 and tu_id = ${parameter})`,
    market,
  );
  const { code, orderBy } = orderOf(learnerSortColumns, sort, 'l.tu_id');
  const name = `learners${{ true: '_out', false: '_in', undefined: '' }[`${isOptedOut}`]}${where.code}${code}`;
  const list = { name, columns: learnerColumns, from: learnersWithMarket, where, orderBy };
  return readPage(database, list, page);
}

/** Returns a learner with the id that the analytics store knows; null if the brand has none. */
export async function findLearnerDetail(
  database: Database,
  brandId: number,
  tuId: string,
): Promise<(LearnerRow & { readonly id: number }) | null> {
  const rows = await database.run(
    statement<LearnerRow & { id: number }>(
      'find_learner_detail',
      `select l.id, ${learnerColumns} from ${learnersWithMarket} where l.brand_id = $1 and l.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return rows[0] ?? null;
}
