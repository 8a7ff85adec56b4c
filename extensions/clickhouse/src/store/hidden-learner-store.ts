import type { Queryable } from '../../../../server/src/postgres/database.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import type { DatasetShape } from './dataset-shape.ts';
import { integer, writeNumber } from './literals.ts';

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
  const ids = hidden.map(({ learnerId }) => integer(learnerId)).join(', ');
  const numbers = hidden.map(({ before }) => integer(before)).join(', ');
  return ` and ${number} >= transform(user_id, [${ids}], [${numbers}], toInt64(0))`;
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

/** Lists learners of all brands who have been hidden for longer than a page takes that began before. */
export async function listLeftLearners(database: Queryable, limit: number): Promise<LeftLearner[]> {
  return database.run(
    statement<LeftLearner>(
      'list_left_learners',
      `select brand_id as "brandId", user_id as "learnerId", before from analytics.hidden_learners
       where since < clock_timestamp() - interval '5 minutes' order by brand_id, user_id limit $1`,
      [limit],
    ),
  );
}

/** Forgets learners whose rows are deleted, but those who have been hidden again. */
export async function forgetLearners(tx: Transaction, learners: readonly LeftLearner[]): Promise<void> {
  await tx.run(
    statement<never>(
      'forget_hidden_learners',
      `delete from analytics.hidden_learners h
       using unnest($1::integer[], $2::bigint[], $3::bigint[]) as g (brand_id, user_id, before)
       where h.brand_id = g.brand_id and h.user_id = g.user_id and h.before = g.before`,
      [
        learners.map(({ brandId }) => brandId),
        learners.map(({ learnerId }) => learnerId),
        learners.map(({ before }) => before),
      ],
    ),
  );
}
