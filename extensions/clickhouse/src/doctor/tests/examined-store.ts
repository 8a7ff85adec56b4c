import { aggregateRange } from '../../../../../server/src/analytics/aggregation/aggregation-service.ts';
import { examineAnalytics } from '../../../../../server/src/doctor/examine-analytics.ts';
import { type Finding, findingsOf } from '../../../../../server/src/doctor/tests/examine.ts';
import { createTestApps } from '../../../../../server/test/support/test-apps.ts';
import { ClickHouse } from '../../store/clickhouse.ts';
import { newClickHouseStore } from '../../store/tests/new-clickhouse-store.ts';
import { examinedClickHouse } from '../examine-clickhouse.ts';

/** Creates apps with a store in ClickHouse, and functions that examine it. */
export async function newExaminedStore() {
  const { store, address, url, sql, database } = await newClickHouseStore();
  await store.prepare();
  const apps = await createTestApps({ analyticsAddress: address, engine: { store, url } });
  const clickHouse = new ClickHouse(url, { answerMs: 120_000, connections: 2 });
  apps.beforeClose(() => clickHouse.close());

  async function examine(brandId: number, repair = false): Promise<Finding[]> {
    const findings: Finding[] = [];
    await examineAnalytics(
      apps.database,
      {
        examine: examinedClickHouse(database, clickHouse),
        aggregate: async (brand, days) => void (await aggregateRange(apps.context, brand, days)),
      },
      brandId,
      { repair, report: (check) => findings.push(...findingsOf(check)) },
    );
    return findings;
  }

  return { apps, store, clickHouse, sql, examine };
}
