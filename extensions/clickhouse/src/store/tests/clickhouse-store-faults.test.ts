// nightly: waits for connections that are cut and frozen
import { datasetNames } from '../../../../../server/src/analytics/store/datasets.ts';
import { describeFaultyStore } from '../../../../../server/src/analytics/store/tests/analytics-store-contract.ts';
import { createProxiedStore } from '../../../../../server/src/analytics/tests/proxied-store.ts';
import { startTcpProxy } from '../../../../../server/test/support/tcp-proxy.ts';
import { createClickHouseDatabase } from '../../../test/support/clickhouse-database.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { ClickHouse } from '../clickhouse.ts';
import { createClickHouseAnalyticsStore } from './clickhouse-store.ts';
import { patient } from './patient-store.ts';

// The proxy has the port of a server on this machine only.
const isLocal = process.env['BRANDPORT_TEST_CLICKHOUSE_URL'] === undefined;

// [D193]
if (isLocal && isClickHouseInstalled()) {
  const { storeDatabase, proxy, analyticsAddress } = await createProxiedStore();
  const { address, sql } = storeDatabase;
  const { url } = await createClickHouseDatabase();
  const rows = await startTcpProxy(Number(new URL(url).port));
  const proxied = new URL(url);
  proxied.port = String(rows.port);
  const store = createClickHouseAnalyticsStore({ address: analyticsAddress, clickHouseUrl: proxied.href });
  const direct = patient(createClickHouseAnalyticsStore({ address, clickHouseUrl: url }));
  const clickHouse = new ClickHouse(url, { answerMs: 60_000, connections: 2 });
  storeDatabase.beforeClose(async () => {
    await Promise.all([proxy.cut(), rows.cut()]);
    await Promise.all([store.close(0), direct.close(), clickHouse.close()]);
  });
  await direct.prepare();
  let lastBrandId = 0;

  /** Two hours in numbers of batches, which tell their age. */
  const older = 2 * 3_600_000 * 8_192;
  describeFaultyStore('the analytics store in ClickHouse', {
    store,
    direct,
    paths: [
      { name: 'PostgreSQL', proxy, hasRows: false },
      { name: 'ClickHouse', proxy: rows, hasRows: true },
    ],
    coordination: proxy,
    countRows: async (brandId) => {
      const counts = await Promise.all(
        ['learning_events', ...datasetNames].map((table) =>
          clickHouse.numbers(`select count() as rows from ${table} where brand_id = ${brandId}`),
        ),
      );
      const [events = 0, ...datasets] = counts.flat();
      return { events, datasets: datasets.reduce((sum, count) => sum + count, 0) };
    },
    age: async () => {
      await clickHouse.run(`alter table learning_events update batch = batch - ${older} where true`);
      await sql(`update analytics.event_batches set batch = batch - ${older};
        update analytics.clickhouse_store set sealed_before = sealed_before - ${older};
        update analytics.unpublished_generations set since = since - interval '25 hours';
        update analytics.hidden_learners set since = since - interval '2 hours'`);
    },
    newBrandId: () => {
      lastBrandId += 1;
      return lastBrandId;
    },
  });
}
