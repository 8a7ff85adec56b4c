import { statement } from '../../../../postgres/statement.ts';
import type { Transaction } from '../../../../postgres/transaction.ts';
import type { DayRange } from '../../../day.ts';

/**
 * Memory for each sort and grouping. With PostgreSQL's default of 4 MB, a day with a million events is sorted in temporary
 * files.
 */
const workMem = '64MB';

/** Counts are integers: sums of bigint are numeric, and several times as slow. An `_sum` is exact. */
const figures = [
  ['views', 'integer', `count(*) filter (where e.kind = 'view')`],
  ['completions', 'integer', `count(*) filter (where e.kind = 'completion')`],
  ['successes', 'integer', `count(*) filter (where e.kind = 'success')`],
  ['xp_earned', 'bigint', 'sum(e.xp_earned)'],
  ['time_spent_seconds', 'bigint', 'sum(e.time_spent_seconds)'],
  ['progress_sum', 'numeric', `coalesce(sum(e.progress) filter (where e.kind = 'view'), 0)`],
  ['progress_count', 'integer', `count(e.progress) filter (where e.kind = 'view')`],
  ['score_sum', 'numeric', `coalesce(sum(e.score) filter (where e.kind = 'quiz'), 0)`],
  ['score_count', 'integer', `count(e.score) filter (where e.kind = 'quiz')`],
  ['questions', 'bigint', 'coalesce(sum(e.questions), 0)'],
  ['answered', 'bigint', 'coalesce(sum(e.answered), 0)'],
] as const;

const figureColumns = figures.map(([name, type]) => `${name} ${type}`).join(', ');
const figureSums = figures.map(([, , sum]) => sum).join(', ');

/**
 * Creates temporary tables for this transaction: `fold_by_user` by day, learner, content type and market, and `fold_by_content`
 * by day, learner and content, without quests.
 */
export async function createFold(tx: Transaction): Promise<void> {
  for (const create of [
    statement<never>('give_fold_memory', `set local work_mem = '${workMem}'`),
    statement<never>(
      'create_fold_by_user',
      `create temporary table fold_by_user
         (day date, user_id bigint, content_type text collate "C", market_id bigint, ${figureColumns}) on commit drop`,
    ),
    statement<never>(
      'create_fold_by_content',
      `create temporary table fold_by_content
         (day date, user_id bigint, content_ref_id bigint, content_type text collate "C", ${figureColumns}) on commit drop`,
    ),
  ])
    await tx.run(create);
}

/** Aggregates raw events into both tables in one statement, so all datasets agree even if events arrive at the same time. */
export async function foldEvents(
  tx: Transaction,
  brandId: number,
  { from, to }: DayRange,
  excludedLearnerIds: readonly number[],
): Promise<void> {
  const counted = `from analytics.learning_events e
       where e.brand_id = $1 and e.day between $2::date and $3::date
         and not exists (select from unnest($4::bigint[]) as excluded (id) where excluded.id = e.user_id)`;
  await tx.run(
    statement<never>(
      'fold_learning_events',
      `with by_user as (
         insert into pg_temp.fold_by_user
         select e.day, e.user_id, e.content_type, e.market_id, ${figureSums} ${counted}
         group by e.day, e.user_id, e.content_type, e.market_id
       )
       insert into pg_temp.fold_by_content
       select e.day, e.user_id, e.content_ref_id, min(e.content_type), ${figureSums} ${counted}
         and e.content_type <> 'quest'
       group by e.day, e.user_id, e.content_ref_id`,
      [brandId, from, to, excludedLearnerIds],
    ),
  );
}

export async function analyzeFold(tx: Transaction): Promise<void> {
  for (const analyze of [
    statement<never>(
      'analyze_fold_by_user',
      'analyze pg_temp.fold_by_user (day, user_id, content_type, market_id)',
    ),
    statement<never>(
      'analyze_fold_by_content',
      'analyze pg_temp.fold_by_content (day, user_id, content_ref_id)',
    ),
  ])
    await tx.run(analyze);
}
