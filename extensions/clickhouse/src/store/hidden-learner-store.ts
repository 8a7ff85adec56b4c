import type { DatasetShape } from '../../../../server/src/analytics/store/datasets.ts';
import type { Database, Queryable } from '../../../../server/src/postgres/database.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { numberFor, writeNumber } from './schema.ts';

/** An erased learner whose batches and generations below a number are not read, and are deleted by the upkeep [D194]. */
export interface HiddenLearner {
  readonly learnerId: number;
  readonly before: number;
}

export const hiddenColumn = `(
    select coalesce(json_agg(json_build_object('learnerId', h.user_id, 'before', h.before)), '[]')
    from analytics.hidden_learners h where h.brand_id = $1
  ) as hidden`;

export async function listHidden(database: Queryable, brandId: number): Promise<readonly HiddenLearner[]> {
  const rows = await database.run(
    statement<{ hidden: HiddenLearner[] }>('list_hidden_learners', `select ${hiddenColumn}`, [brandId]),
  );
  return rows[0]?.hidden ?? [];
}

/** A condition on rows of a dataset, with its `and`; empty if nobody of them is hidden. */
export function notHidden({ keys }: Pick<DatasetShape, 'keys'>, hidden: readonly HiddenLearner[]): string {
  return keys.includes('user_id') ? notBefore('generation', hidden) : '';
}

/** A condition on events, with its `and`; empty if nobody is hidden. */
export function withoutHidden(hidden: readonly HiddenLearner[]): string {
  return notBefore('batch', hidden);
}

function notBefore(number: string, hidden: readonly HiddenLearner[]): string {
  if (hidden.length === 0) return '';
  const ids = hidden.map(({ learnerId }) => learnerId);
  const bounds = hidden.map(({ before }) => before);
  return ` and ${number} >= ${numberFor('user_id', ids, bounds)}`;
}

/** Hides what is there of a learner now. */
export async function hideLearner(tx: Transaction, brandId: number, learnerId: number): Promise<void> {
  await tx.run(
    statement<never>(
      'hide_learner',
      `insert into analytics.hidden_learners (brand_id, user_id, before, since)
       values ($1, $2, ${writeNumber()}, clock_timestamp())
       on conflict (brand_id, user_id) do update set before = excluded.before, since = excluded.since`,
      [brandId, learnerId],
    ),
  );
}

export interface LeftLearner extends HiddenLearner {
  readonly brandId: number;
}

/** Lists learners of all brands who were hidden before a time: no page that began before is still being read. */
export async function listHiddenBefore(database: Queryable, time: Date): Promise<LeftLearner[]> {
  return database.run(
    statement<LeftLearner>(
      'list_learners_hidden_before',
      `select brand_id as "brandId", user_id as "learnerId", before from analytics.hidden_learners where since < $1`,
      [time],
    ),
  );
}

/** Forgets the learners of `listHiddenBefore`, whose rows are deleted. Those who were hidden again since stay. */
export async function forgetHiddenBefore(database: Database, time: Date): Promise<void> {
  await database.transaction((tx) =>
    tx.run(
      statement<never>(
        'forget_learners_hidden_before',
        'delete from analytics.hidden_learners where since < $1',
        [time],
      ),
    ),
  );
}
