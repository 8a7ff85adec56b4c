// processes: waits for the time limits of a frozen database
import { createProxiedStore } from '../../../tests/proxied-store.ts';
import { createAnalyticsStore } from '../../analytics-store.ts';
import { describeFaultyStore } from '../../tests/analytics-store-contract.ts';

const { storeDatabase, proxy, analyticsAddress } = await createProxiedStore();
const { address, beforeClose, sql } = storeDatabase;
const store = createAnalyticsStore({ address: analyticsAddress });
const direct = createAnalyticsStore({ address });
beforeClose(async () => {
  await proxy.cut();
  await Promise.all([store.close(0), direct.close()]);
});
let lastBrandId = 0;

describeFaultyStore('the analytics store in PostgreSQL', {
  store,
  direct,
  paths: [{ name: 'PostgreSQL', proxy, hasRows: false }],
  coordination: proxy,
  countRows: async (brandId) => {
    const tables = ['learning_events', 'daily', 'contents', 'users', 'content_engagement'];
    const [events = 0, ...datasets] = await Promise.all(
      tables.map(async (table) => {
        const [row] = await sql<{ rows: number }>(
          `select count(*)::integer as rows from analytics.${table} where brand_id = $1`,
          [brandId],
        );
        return row?.rows ?? 0;
      }),
    );
    return { events, datasets: datasets.reduce((sum, rows) => sum + rows, 0) };
  },
  age: async () => {},
  newBrandId: () => {
    lastBrandId += 1;
    return lastBrandId;
  },
});
