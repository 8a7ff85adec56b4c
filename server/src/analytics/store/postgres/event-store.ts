import { rowSet } from '../../../postgres/row-set.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { MarkedDay } from '../coordination/brand-day-store.ts';
import type { LearningEvent } from '../learning-event.ts';

const eventColumns = rowSet<LearningEvent>({
  event_id: ['text', ({ eventId }) => eventId],
  day: ['date', ({ day }) => day],
  occurred_at: ['timestamptz', ({ occurredAt }) => occurredAt],
  kind: ['text', ({ kind }) => kind],
  user_id: ['bigint', ({ learnerId }) => learnerId],
  content_ref_id: ['bigint', ({ contentRefId }) => contentRefId],
  content_type: ['text', ({ contentType }) => contentType],
  market_id: ['bigint', ({ marketId }) => marketId],
  progress: ['numeric', ({ progress }) => progress],
  score: ['numeric', ({ score }) => score],
  questions: ['integer', ({ questions }) => questions],
  answered: ['integer', ({ answered }) => answered],
  time_spent_seconds: ['integer', ({ timeSpentSeconds }) => timeSpentSeconds],
  xp_earned: ['integer', ({ xpEarned }) => xpEarned],
});

/**
 * See `AnalyticsEngine.appendEvents`. Ids are claimed in sorted order, so that calls with common ids do not deadlock. On two
 * cores, batches of 4,000 take 12 to 15 us an event, most of it upkeep of the four indexes; COPY into a temporary table or one
 * statement for each table take as long.
 */
export function appendEvents(
  tx: Transaction,
  brandId: number,
  events: readonly LearningEvent[],
): Promise<MarkedDay[]> {
  return tx.run(
    statement<MarkedDay>(
      'append_learning_events',
      `with given as materialized (select g.* from ${eventColumns.sql}),
       claimed as (
         insert into analytics.event_claims (brand_id, event_id, day)
         select $15, event_id, day from given order by event_id collate "C"
         on conflict do nothing
         returning event_id
       ),
       appended as (
         insert into analytics.learning_events (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id,
           content_type, market_id, progress, score, questions, answered, time_spent_seconds, xp_earned)
         select $15, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id, progress,
           score, questions, answered, time_spent_seconds, xp_earned
         from given
         where event_id in (select event_id from claimed)
         returning day
       )
       select to_char(day, 'YYYY-MM-DD') as day, count(*) as added from appended group by appended.day`,
      [...eventColumns.values(events), brandId],
    ),
  );
}

/** See `AnalyticsEngine.eraseLearner`: the rows are gone with the commit. */
export async function eraseLearner(tx: Transaction, brandId: number, learnerId: number): Promise<null> {
  for (const table of ['learning_events', 'users', 'content_engagement'] as const)
    await tx.run(eraseFrom[table](brandId, learnerId));
  return null;
}

const eraseFrom = {
  // One statement, so that an event that is committed meanwhile keeps its claim or loses it too: a claim alone would refuse the
  // event when it is sent again.
  learning_events: (brandId: number, learnerId: number) =>
    statement<never>(
      'erase_user_events',
      `with erased as (
         delete from analytics.learning_events where brand_id = $1 and user_id = $2
         returning event_id
       )
       -- An array is looked up in the key's index, regardless of the planner's estimates; a join is not.
       delete from analytics.event_claims c
       where c.brand_id = $1 and c.event_id = any (array(select e.event_id from erased e))`,
      [brandId, learnerId],
    ),
  users: (brandId: number, learnerId: number) =>
    statement<never>('erase_user_rows', 'delete from analytics.users where brand_id = $1 and user_id = $2', [
      brandId,
      learnerId,
    ]),
  content_engagement: (brandId: number, learnerId: number) =>
    statement<never>(
      'erase_user_content_engagement',
      'delete from analytics.content_engagement where brand_id = $1 and user_id = $2',
      [brandId, learnerId],
    ),
};
