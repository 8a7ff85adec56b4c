import type { Queryable } from '../../../postgres/database.ts';
import { rowSet } from '../../../postgres/row-set.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import { type DatasetName, type DirectoryKind, datasetsOf, shapeOf, subjectColumns } from '../datasets.ts';
import type { MarkedDay } from '../days-store.ts';
import type { DirectorySubjects, ErasedCounts, LearnerActivity, LearningEvent } from '../engine.ts';

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
export async function eraseLearner(
  tx: Transaction,
  brandId: number,
  learnerId: number,
): Promise<ErasedCounts> {
  const events = await eraseAndCount(tx, eraseEvents(brandId, learnerId));
  let rows = 0;
  for (const dataset of datasetsOf('learner'))
    rows += await eraseAndCount(tx, eraseRows(dataset, brandId, learnerId));
  return { events, rows };
}

async function eraseAndCount(tx: Transaction, erase: Statement<{ count: number }>): Promise<number> {
  return (await tx.run(erase))[0]?.count ?? 0;
}

/**
 * One statement, so that an event that is committed meanwhile keeps its claim or loses it too: a claim alone would refuse the
 * event when it is sent again.
 */
const eraseEvents = (brandId: number, learnerId: number) =>
  statement<{ count: number }>(
    'erase_user_events',
    `with erased as (
       delete from analytics.learning_events where brand_id = $1 and user_id = $2
       returning event_id
     ), claims as (
       -- An array is looked up in the key's index, regardless of the planner's estimates; a join is not.
       delete from analytics.event_claims c
       where c.brand_id = $1 and c.event_id = any (array(select e.event_id from erased e))
     )
     select count(*) as count from erased`,
    [brandId, learnerId],
  );

const eraseRows = (dataset: DatasetName, brandId: number, learnerId: number) =>
  statement<{ count: number }>(
    `erase_user_rows/${dataset}`,
    `with erased as (delete from analytics.${dataset} where brand_id = $1 and user_id = $2 returning 1)
     select count(*) as count from erased`,
    [brandId, learnerId],
  );

/** Learners are looked up one by one by the index of each month. */
export async function listDaysWithout(
  tx: Transaction,
  brandId: number,
  learnerIds: readonly number[],
): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'list_analytics_days_without',
      `select to_char(d.day, 'YYYY-MM-DD') as day
       from (
         select distinct a.day
         from unnest($2::bigint[]) as u (id)
         cross join lateral (
           select distinct e.day from analytics.learning_events e
           where e.brand_id = $1 and e.user_id = u.id
         ) as a
         where not exists (
           select from analytics.users r where r.brand_id = $1 and r.user_id = u.id and r.day = a.day
         )
       ) as d
       join analytics.brand_days b on b.brand_id = $1 and b.day = d.day and b.aggregated_at is not null
       left join analytics.event_retention k on true
       where k.kept_since is null or d.day >= k.kept_since
       order by d.day`,
      [brandId, learnerIds],
    ),
  );
  return rows.map(({ day }) => day);
}

/**
 * An aggregation that counts a learner writes a row of `users`, another deletes it:
 * the rows are the days that count the learner.
 */
export async function readLearnerActivity(
  database: Queryable,
  brandId: number,
  learnerId: number,
): Promise<LearnerActivity> {
  const rows = await database.run(
    statement<{ first: Day | null; last: Day | null; days: Day[] }>(
      'read_learner_activity',
      // Materialized, and in the order of the primary key: a plan made while the tables are empty would else read the index
      // by day, over all learners. `between` keeps the planner from taking the learner's order for granted.
      `with counted as materialized (
         select day from analytics.users where brand_id = $1 and user_id between $2 and $2 order by user_id, day
       ), seen as materialized (
         select day from analytics.learning_events where brand_id = $1 and user_id = $2
       )
       select to_char(least(u.first, e.first), 'YYYY-MM-DD') as first,
         to_char(greatest(u.last, e.last), 'YYYY-MM-DD') as last, u.days
       from (
         select min(day) as first, max(day) as last,
           coalesce(array_agg(to_char(day, 'YYYY-MM-DD') order by day), '{}') as days
         from counted
       ) as u
       cross join (select min(day) as first, max(day) as last from seen) as e`,
      [brandId, learnerId],
      { long: true },
    ),
  );
  const { first, last, days } = rows[0] as (typeof rows)[number];
  return { firstDay: first, lastDay: last, aggregatedDays: days };
}

// Each select has a column `day`. $1: the brand; `s.id`: the subject; $3: the days to look for.

// Read by an index that begins with the subject. `+ 0` keeps PostgreSQL from the index on days, which looks as good without
// statistics.
const rowsOf = (table: string, column: string) =>
  `select r.day from analytics.${table} r where r.brand_id = $1 and r.${column} = s.id and r.day + 0 = any($3::date[])`;

/** The days with rows of a subject. Contents with a row for each learner: one look-up for each day, not all learners. */
function daysWithRows(kind: DirectoryKind, dataset: DatasetName): string {
  const column = subjectColumns[kind];
  const [key] = shapeOf(dataset).keys;
  if (kind !== 'content' || key === column) return rowsOf(dataset, column);
  return `${rowsOf('contents', column)} and exists (
        select from analytics.${dataset} e
        where e.brand_id = $1 and e.content_ref_id = s.id and e.day = r.day
      )`;
}

/** See `AnalyticsEngine.listAffectedDays`. Linear in the rows of the subjects. */
export async function listAffectedDays(
  tx: Transaction,
  brandId: number,
  { kind, ids }: DirectorySubjects,
  { dataset, among }: { readonly dataset: DatasetName; readonly among: readonly Day[] },
): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      `list_affected_days/${kind}/${dataset}`,
      `select distinct to_char(a.day, 'YYYY-MM-DD') as day
       from unnest($2::bigint[]) as s (id)
       cross join lateral (select distinct f.day from (${daysWithRows(kind, dataset)}) f) as a`,
      [brandId, ids, among],
    ),
  );
  return rows.map(({ day }) => day);
}
