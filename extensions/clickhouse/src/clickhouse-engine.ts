import type { EngineExtension, OpenEngine } from '../../../server/src/serve/analytics-engine.ts';
import { examinedClickHouse } from './doctor/examine-clickhouse.ts';
import { ClickHouse } from './store/clickhouse.ts';
import { clickHouseAnalyticsEngine } from './store/clickhouse-analytics-engine.ts';
import { copyFromPostgres } from './store/copy-from-postgres.ts';
import { requireOwnClickHouse } from './store/prepare-clickhouse.ts';

/** A statement on a large brand or table takes its time. */
const limits = { answerMs: 6 * 3_600_000, connections: 2 };

export function clickHouseEngine(url: string): EngineExtension {
  return {
    createEngine: (databases) => clickHouseAnalyticsEngine(databases, url),
    open: () => openedClickHouse(new ClickHouse(url, limits)),
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
