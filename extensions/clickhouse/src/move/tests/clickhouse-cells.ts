import { aggregateRange } from '../../../../../server/src/analytics/aggregation/aggregation-service.ts';
import { examineBrandAnalytics } from '../../../../../server/src/doctor/analytics/examine-brand-analytics.ts';
import type { Finding } from '../../../../../server/src/doctor/difference.ts';
import type { CellAddresses } from '../../../../../server/src/serve/brand-mover.ts';
import { createTestApps } from '../../../../../server/test/support/test-apps.ts';
import { examinedClickHouse } from '../../doctor/examine-clickhouse.ts';
import { ClickHouse } from '../../store/clickhouse.ts';
import { generationTables } from '../../store/dataset-shape.ts';
import { newClickHouseStore } from '../../store/tests/new-clickhouse-store.ts';
import { movingClickHouse } from '../moving-clickhouse.ts';

const limits = { answerMs: 120_000, connections: 2 };
const rowTables = ['learning_events', ...generationTables];

/** A cell whose events are in ClickHouse, with everything else in one database and no apps. */
export async function newStoreCell() {
  const made = await newClickHouseStore();
  await made.store.prepare();
  const clickHouse = new ClickHouse(made.url, limits);
  made.beforeClose(() => clickHouse.close());
  const cell: CellAddresses = { main: made.address, analytics: null, engine: movingClickHouse(clickHouse) };
  return { ...made, clickHouse, cell, countRows: counterOf(clickHouse) };
}

/** A cell with the real apps, whose events are in ClickHouse and whose analytics have a separate database. */
export async function newCell(firstBrandId: number) {
  const { store, address, url, sql: analyticsSql, database } = await newClickHouseStore();
  await store.prepare();
  const apps = await createTestApps({ analyticsAddress: address, engine: { store, url } });
  await apps.sql(`select setval(pg_get_serial_sequence('brands', 'id'), ${firstBrandId}, false)`);
  const clickHouse = new ClickHouse(url, limits);
  apps.beforeClose(() => clickHouse.close());
  const cell: CellAddresses = {
    main: apps.address,
    analytics: address,
    engine: movingClickHouse(clickHouse),
  };
  const examine = async (brandId: number): Promise<string[]> => {
    const findings: Finding[] = [];
    const examined = {
      store: examinedClickHouse(database, clickHouse),
      aggregate: async (brand: number, days: { from: string; to: string }) =>
        void (await aggregateRange(apps.context, brand, days)),
    };
    const options = { repair: false, report: (finding: Finding) => findings.push(finding) };
    await examineBrandAnalytics(apps.database, examined, brandId, options);
    return findings.map(
      ({ check, id, field, stored, actual }) => `${check} ${id} ${field}: ${stored} > ${actual}`,
    );
  };
  return { apps, store, cell, clickHouse, analyticsSql, examine, countRows: counterOf(clickHouse) };
}

function counterOf(clickHouse: ClickHouse) {
  /** The rows in all tables. */
  return async (where: string): Promise<number> => {
    const counts = rowTables.map((table) => `(select count() from ${table} where ${where})`);
    return (await clickHouse.numbers(`select ${counts.join(' + ')} as rows`))[0] as number;
  };
}

/** SQL that makes everything that waits for the grace period older than that. */
export const aged = `update analytics.stale_layers set since = since - interval '2 hours';
  update analytics.generation_attempts set started_at = started_at - interval '2 hours';
  update analytics.hidden_learners set since = since - interval '2 hours';`;

/** Two hours, in numbers of batches and generations. */
export const twoHours = 2 * 3_600_000 * 8_192;
