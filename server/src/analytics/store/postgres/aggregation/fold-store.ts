import { statement } from '../../../../postgres/statement.ts';
import type { Transaction } from '../../../../postgres/transaction.ts';
import type { DayRange } from '../../../day.ts';

/**
 * Reads the raw events of the range once, and keeps for this transaction what they add up to by day, learner, content
 * and market (`pg_temp.fold`), without the excluded learners. All datasets are made of that: they agree with each other
 * whatever arrives meanwhile, and the events are gone through a single time.
 */
export async function foldEvents(
  tx: Transaction,
  brandId: number,
  { from, to }: DayRange,
  excludedUserIds: readonly number[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'create_analytics_fold',
      `create temporary table fold (
         day date, user_id bigint, content_ref_id bigint, content_type text collate "C", market_id bigint,
         views bigint, completions bigint, successes bigint, xp_earned bigint, time_spent_seconds bigint,
         progress_sum numeric, progress_count bigint, score_sum numeric, score_count bigint,
         questions bigint, answered bigint
       ) on commit drop`,
    ),
  );
  await tx.run(
    statement<never>(
      'fold_learning_events',
      `insert into pg_temp.fold
       select e.day, e.user_id, e.content_ref_id, e.content_type, e.market_id,
         count(*) filter (where e.kind = 'view'),
         count(*) filter (where e.kind = 'completion'),
         count(*) filter (where e.kind = 'success'),
         sum(e.xp_earned), sum(e.time_spent_seconds),
         coalesce(sum(e.progress) filter (where e.kind = 'view'), 0),
         count(e.progress) filter (where e.kind = 'view'),
         coalesce(sum(e.score) filter (where e.kind = 'quiz'), 0),
         count(e.score) filter (where e.kind = 'quiz'),
         coalesce(sum(e.questions), 0), coalesce(sum(e.answered), 0)
       from analytics.learning_events e
       where e.brand_id = $1 and e.day between $2::date and $3::date
         and not exists (select from unnest($4::bigint[]) as excluded (id) where excluded.id = e.user_id)
       group by e.day, e.user_id, e.content_ref_id, e.content_type, e.market_id`,
      [brandId, from, to, excludedUserIds],
    ),
  );
  // The planner knows nothing of a table that is this new.
  await tx.run(statement<never>('analyze_analytics_fold', 'analyze pg_temp.fold'));
}
