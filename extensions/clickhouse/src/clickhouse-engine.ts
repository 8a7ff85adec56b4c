import type { AnalyticsEngine } from '../../../server/src/analytics/store/engine.ts';
import type { StoreDatabases } from '../../../server/src/analytics/store/store-databases.ts';
import type { EngineExtension, OpenEngine } from '../../../server/src/serve/extension.ts';
import { examinedClickHouse } from './doctor/examine-clickhouse.ts';
import { replaceDays } from './store/aggregation.ts';
import { ClickHouse } from './store/clickhouse.ts';
import { copyFromPostgres } from './store/copy-from-postgres.ts';
import { dayMethods } from './store/days.ts';
import { appendEvents, eraseLearner } from './store/events.ts';
import { pageMethods } from './store/pages.ts';
import { prepareClickHouse, requireOwnClickHouse } from './store/prepare-clickhouse.ts';
import { keepUp, readBytes } from './store/upkeep.ts';

/** ClickHouse writes a part of its tables for each batch and month, and has to merge them: it wants few and large ones. */
const eventBatchSize = 20_000;

const readLimits = { answerMs: 2_200, connections: 16 };
/** Less than PostgreSQL allows a transaction to be idle. */
const writeLimits = { answerMs: 20_000, connections: 8 };
/** A statement on a large brand or table takes its time. */
const jobLimits = { answerMs: 6 * 3_600_000, connections: 8 };

/** Events and rows in ClickHouse; all else of the store is in PostgreSQL [D193]. */
export function clickHouseAnalyticsEngine(
  { jobs, writes }: StoreDatabases,
  clickHouseUrl: string,
): AnalyticsEngine {
  const [pages, appends, work] = [readLimits, writeLimits, jobLimits].map(
    (limits) => new ClickHouse(clickHouseUrl, limits),
  ) as [ClickHouse, ClickHouse, ClickHouse];
  return {
    eventBatchSize,
    prepare: () => prepareClickHouse(jobs, work),
    appendEvents: (tx, brandId, events) => appendEvents(tx, appends, brandId, events),
    eraseLearner: (tx, brandId, learnerId) => eraseLearner(tx, appends, brandId, learnerId),
    replaceDays: (tx, brandId, replacement) =>
      replaceDays(tx, brandId, replacement, { writes, clickHouse: work }),
    ...pageMethods(pages),
    ...dayMethods(jobs, pages, work),
    upkeep: () => keepUp(jobs, work),
    readBytes: () => readBytes(pages),
    close: async () => {
      await Promise.all([pages, appends, work].map((clickHouse) => clickHouse.close()));
    },
  };
}

export function clickHouseEngine(url: string): EngineExtension {
  return {
    createEngine: (databases) => clickHouseAnalyticsEngine(databases, url),
    open: () => openedClickHouse(new ClickHouse(url, jobLimits)),
    copyFromPostgres: (options) => copyFromPostgres({ ...options, clickHouseUrl: url }),
  };
}

function openedClickHouse(clickHouse: ClickHouse): OpenEngine {
  return {
    requireOwn: (store) => requireOwnClickHouse(store, clickHouse),
    examined: (store) => examinedClickHouse(store, clickHouse),
    close: () => clickHouse.close(),
  };
}
