import { createTestApps } from '../../../../test/support/test-apps.ts';
import { aggregateRange } from '../../../analytics/aggregation/aggregation-service.ts';
import { ClickHouse } from '../../../analytics/store/clickhouse/clickhouse.ts';
import { newClickHouseStore } from '../../../analytics/store/clickhouse/tests/new-clickhouse-store.ts';
import type { Finding } from '../../difference.ts';
import { examineBrandAnalytics } from '../examine-brand-analytics.ts';

/** Creates apps with a store in ClickHouse, and functions that examine it. */
export async function newExaminedStore() {
  const { store, address, url, sql, database } = await newClickHouseStore();
  await store.prepare();
  const apps = await createTestApps({ analyticsAddress: address, clickHouse: { store, url } });
  const clickHouse = new ClickHouse(url, { answerMs: 120_000, connections: 2 });
  apps.beforeClose(() => clickHouse.close());

  async function examine(brandId: number, repair = false): Promise<Finding[]> {
    const findings: Finding[] = [];
    await examineBrandAnalytics(
      apps.database,
      {
        store: database,
        clickHouse,
        aggregate: async (brand, days) => void (await aggregateRange(apps.context, brand, days)),
      },
      brandId,
      { repair, report: (finding) => findings.push(finding) },
    );
    return findings;
  }

  const publishedTotals = (brandId: number) =>
    sql<{ dataset: string; through: string }>(
      `select dataset, through::text from analytics.running_totals where brand_id = ${brandId} order by dataset`,
    );

  return { apps, store, clickHouse, sql, examine, publishedTotals };
}

/** The line of a finding. */
export const told = ({ check, id, field, stored, actual }: Finding) =>
  `${check} ${id} ${field}: ${stored} > ${actual}`;
