import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { type Day, firstOfMonth, firstOfNextMonth } from '../../day.ts';
import type { AnalyticsEngine } from '../engine.ts';
import { requireEventsInPostgres } from '../events-store.ts';
import type { StoreDatabases } from '../store-databases.ts';
import { replaceDays } from './aggregation.ts';
import {
  appendEvents,
  eraseLearner,
  listAffectedDays,
  listDaysWithout,
  readLearnerActivity,
} from './events.ts';
import { listDaily, listRows } from './pages.ts';

/** One transaction stores a batch. Larger ones hold their locks for longer. */
const eventBatchSize = 2_000;
const droppedBatch = 5_000;

/** Events and rows in the PostgreSQL database of the store. */
export function postgresEngine({ jobs }: StoreDatabases): AnalyticsEngine {
  return {
    eventBatchSize,
    prepare: () => requireEventsInPostgres(jobs),
    appendEvents,
    eraseLearner,
    replaceDays,
    listDaily,
    listRows,
    listAffectedDays,
    listDaysWithout,
    readLearnerActivity,
    deleteDroppedEvents: async () =>
      (await jobs.transaction((tx) => deleteDroppedDefaultEvents(tx, droppedBatch))) > 0,
    findOldestEventDay: (before) => findOldestEventDay(jobs, before),
    findOpenEventDay: (range) => findOpenEventDay(jobs, range),
    upkeep: async (today) => {
      const done: string[] = [];
      for (const day of monthsAhead(today))
        if (await jobs.transaction((tx) => makeEventPartition(tx, day)))
          done.push(`event partition ${day.slice(0, 7)} created`);
      return { done };
    },
    readBytes: async () => 0,
    close: async () => {},
  };
}

/**
 * Deletes at most `limit` dropped events of months without a partition: the partitions are dropped when their days are declared
 * dropped. Goes through the brands by the primary key: a scan would read the whole partition for each batch.
 */
async function deleteDroppedDefaultEvents(tx: Transaction, limit: number): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'delete_dropped_default_events',
      `with recursive brands as (
         (select brand_id from analytics.learning_events_default order by brand_id limit 1)
         union all
         select (select min(n.brand_id) from analytics.learning_events_default n where n.brand_id > b.brand_id)
         from brands b where b.brand_id is not null
       ), old as (
         select e.ctid from brands b
         cross join lateral (
           select ctid from analytics.learning_events_default
           where brand_id = b.brand_id and day < (select kept_since from analytics.event_retention)
           limit $1
         ) as e
         limit $1
       ), gone as (
         delete from analytics.learning_events_default e using old where e.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [limit],
    ),
  );
  return rows[0]?.count ?? 0;
}

async function findOldestEventDay(database: Queryable, day: Day): Promise<Day | null> {
  const rows = await database.run(
    statement<{ day: Day | null }>(
      'find_oldest_event_day',
      `with recursive brands as (
         (select brand_id from analytics.learning_events where day < $1::date order by brand_id limit 1)
         union all
         select (select min(n.brand_id) from analytics.learning_events n where n.brand_id > b.brand_id and n.day < $1::date)
         from brands b where b.brand_id is not null
       )
       select to_char(min(o.day), 'YYYY-MM-DD') as day from brands b
       cross join lateral (
         select min(e.day) as day from analytics.learning_events e where e.brand_id = b.brand_id and e.day < $1::date
       ) as o`,
      [day],
      { long: true },
    ),
  );
  return rows[0]?.day ?? null;
}

/**
 * See `AnalyticsEngine.findOpenEventDay`. Compares with the events themselves, because a lost day record must not cost the events
 * of its day.
 */
async function findOpenEventDay(
  database: Queryable,
  { from, before }: { readonly from: Day; readonly before: Day },
): Promise<Day | null> {
  const rows = await database.run(
    statement<{ day: Day | null }>(
      'find_open_event_day',
      `with recursive days as (
         (
           select brand_id, day from analytics.learning_events
           where day >= $1::date and day < $2::date order by brand_id, day limit 1
         )
         union all
         select n.brand_id, n.day from days d
         cross join lateral (
           select e.brand_id, e.day from analytics.learning_events e
           where (e.brand_id, e.day) > (d.brand_id, d.day) and e.day >= $1::date and e.day < $2::date
           order by e.brand_id, e.day limit 1
         ) as n
       )
       select to_char(min(o.day), 'YYYY-MM-DD') as day from (
         select d.day from days d
         where not exists (
           select from analytics.brand_days b
           where b.brand_id = d.brand_id and b.day = d.day and b.aggregated_at is not null and not b.is_dirty
         )
         union all
         select b.day from analytics.brand_days b left join analytics.event_retention r on true
         where b.is_dirty and b.day < $2::date and (r.kept_since is null or b.day >= r.kept_since)
       ) as o`,
      [from, before],
      { long: true },
    ),
  );
  return rows[0]?.day ?? null;
}

/** Creates the partition of a day's month; returns false if it exists. */
async function makeEventPartition(tx: Transaction, day: Day): Promise<boolean> {
  const rows = await tx.run(
    statement<{ made: boolean }>(
      'make_event_partition',
      'select analytics.make_event_partition($1::date) as made',
      [day],
    ),
  );
  return rows[0]?.made === true;
}

/** A day of each month that must have a partition: the month of `today` and the two after it. */
function monthsAhead(today: Day): Day[] {
  const first = firstOfMonth(today);
  const second = firstOfNextMonth(first);
  return [first, second, firstOfNextMonth(second)];
}
