import type { StoreDatabases } from '../../../../server/src/analytics/store/access.ts';
import type { AnalyticsEngine } from '../../../../server/src/analytics/store/engine.ts';
import { replaceDays } from './aggregation.ts';
import { ClickHouse } from './clickhouse.ts';
import { dayMethods } from './days.ts';
import { appendEvents, eraseLearner } from './events.ts';
import { pageMethods } from './pages.ts';
import { prepareClickHouse } from './prepare-clickhouse.ts';
import { keepUp } from './upkeep.ts';

/** ClickHouse writes a part of its tables for each batch and month, and has to merge them: it wants few and large ones. */
const eventBatchSize = 20_000;

const readLimits = { answerMs: 2_200, connections: 16 };
/** Less than PostgreSQL allows a transaction to be idle. */
const writeLimits = { answerMs: 20_000, connections: 8 };
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
    readBytes: async () => {
      const [bytes = 0] = await pages.numbers(
        'select sum(bytes_on_disk) as bytes from system.parts where database = currentDatabase() and active',
      );
      return bytes;
    },
    close: async () => {
      await Promise.all([pages, appends, work].map((clickHouse) => clickHouse.close()));
    },
  };
}
