import { requireEventsInPostgres } from '../coordination/engine-store.ts';
import type { StoreDatabases } from '../coordination/store-databases.ts';
import type { AnalyticsEngine } from '../engine.ts';
import { listAffectedDays } from './affected-day-store.ts';
import { replaceDays } from './aggregation/rebuild-days.ts';
import { listDaily } from './datasets/list-daily.ts';
import { listContentEngagement, listContents, listLearnerDays } from './datasets/list-pages.ts';
import {
  deleteDroppedDefaultEvents,
  findOldestEventDay,
  findOpenEventDay,
  makeEventPartition,
  monthsAhead,
} from './drop-events-store.ts';
import { appendEvents, eraseLearner } from './event-store.ts';
import { listDaysWithout, readLearnerActivity } from './learner-day-store.ts';

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
    listContents,
    listLearnerDays,
    listContentEngagement,
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
