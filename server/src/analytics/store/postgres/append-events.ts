import type { Database } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { AppendResult, LearningEvent } from '../learning-event.ts';
import { markDays } from './brand-day-store.ts';

/**
 * Stores events that the brand does not have yet and marks their days, in one transaction. Two statements and the mark,
 * however many events. Of two calls with the same event at once the second waits for the first to commit, and then
 * counts a duplicate.
 */
export async function appendEvents(
  database: Database,
  brandId: number,
  events: readonly LearningEvent[],
): Promise<AppendResult> {
  if (events.length === 0) return { accepted: 0, duplicates: 0 };
  return database.transaction(async (tx) => {
    const rows = await tx.run(insertEvents(brandId, events));
    await markDays(
      tx,
      brandId,
      rows.map(({ day }) => day),
    );
    const accepted = rows.reduce((sum, { count }) => sum + count, 0);
    return { accepted, duplicates: events.length - accepted };
  });
}

/**
 * The claims are taken in the order of event ids, so that two batches at once cannot wait for each other; of one id in a
 * batch the first event counts. Answers the days that got events.
 */
function insertEvents(brandId: number, events: readonly LearningEvent[]) {
  const column = <K extends keyof LearningEvent>(key: K) => events.map((event) => event[key]);
  return statement<{ day: string; count: number }>(
    'append_learning_events',
    `with sent as (
       select distinct on (event_id) event_id, day, occurred_at, kind, user_id, content_ref_id, content_type, market_id,
         progress, score, questions, answered, time_spent_seconds, xp_earned
       from unnest($2::text[], $3::date[], $4::timestamptz[], $5::text[], $6::bigint[], $7::bigint[], $8::text[],
         $9::bigint[], $10::numeric[], $11::numeric[], $12::integer[], $13::integer[], $14::integer[], $15::integer[])
         with ordinality as s (event_id, day, occurred_at, kind, user_id, content_ref_id, content_type, market_id,
           progress, score, questions, answered, time_spent_seconds, xp_earned, place)
       order by event_id collate "C", place
     ), claimed as (
       insert into analytics.event_claims (brand_id, event_id, day)
       select $1, event_id, day from sent
       on conflict (brand_id, event_id) do nothing
       returning event_id
     ), stored as (
       insert into analytics.learning_events (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id,
         content_type, market_id, progress, score, questions, answered, time_spent_seconds, xp_earned)
       select $1, s.day, s.event_id, s.occurred_at, s.kind, s.user_id, s.content_ref_id, s.content_type, s.market_id,
         s.progress, s.score, s.questions, s.answered, s.time_spent_seconds, s.xp_earned
       from sent s join claimed c on c.event_id = s.event_id
       returning day
     )
     select day::text as day, count(*) as count from stored group by day`,
    [
      brandId,
      column('eventId'),
      column('day'),
      column('occurredAt'),
      column('kind'),
      column('userId'),
      column('contentRefId'),
      column('contentType'),
      column('marketId'),
      column('progress'),
      column('score'),
      column('questions'),
      column('answered'),
      column('timeSpentSeconds'),
      column('xpEarned'),
    ],
  );
}
