import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from '@clickhouse/client';
import { addDays } from '../../../../../server/src/analytics/day.ts';
import {
  aggregate,
  erasing,
  eventOn,
  readAll,
} from '../../../../../server/src/analytics/tests/store-samples.ts';
import { backUp, restore } from '../../../../../server/src/backup/tests/backup-run.ts';
import { createDatabase } from '../../../../../server/test/support/fresh-database.ts';
import { createClickHouseDatabase } from '../../../test/support/clickhouse-database.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { createClickHouseAnalyticsStore } from './clickhouse-store.ts';
import { newClickHouseStore } from './new-clickhouse-store.ts';

const days = { from: '2026-01-28', to: '2026-02-03' };
// `BACKUP` writes files on the server, which another one has to allow.
const isOwn = process.env['BRANDPORT_TEST_CLICKHOUSE_URL'] === undefined;

// [D205]
describe("ClickHouse's own backup", { skip: !isOwn || !isClickHouseInstalled() }, async () => {
  if (!isOwn || !isClickHouseInstalled()) return;
  const { store, address, url } = await newClickHouseStore();
  await store.prepare();
  const events = Array.from({ length: 70 }, (_, index) =>
    eventOn(addDays(days.from, index % 7), { eventId: `id ${index}`, learnerId: 1 + (index % 9) }),
  );

  /** Copies the ClickHouse database by its own backup to a new one. */
  async function copyClickHouse(): Promise<string> {
    const copy = await createClickHouseDatabase();
    const names = [url, copy.url].map((each) => new URL(each).pathname.slice(1));
    const client = createClient({ url: new URL('/', url).href });
    try {
      await client.command({ query: `backup database ${names[0]} to File('${names[1]}')` });
      await client.command({ query: `restore database ${names[0]} as ${names[1]} from File('${names[1]}')` });
    } finally {
      await client.close();
    }
    return copy.url;
  }

  it('continues from an earlier PostgreSQL, with all that ClickHouse has in addition', async () => {
    await store.appendEvents(1, events);
    await aggregate(store, 1, days);
    const before = await readAll(store, 1);
    const file = await backUp({ main: address, analytics: null });
    const late = eventOn(days.from, { eventId: 'late', learnerId: 2 });
    await store.appendEvents(1, [late]);
    await aggregate(store, 1, { from: days.from, to: days.from });
    await store.upkeep(days.to);
    const main = await createDatabase();
    const clickHouseUrl = await copyClickHouse();
    await restore(file, { main, analytics: null });
    const restored = createClickHouseAnalyticsStore({ address: main, clickHouseUrl });
    try {
      await restored.prepare();
      assert.deepEqual(await readAll(restored, 1), before);
      assert.equal((await restored.appendEvents(1, [...events, late])).accepted, 1);
      await aggregate(restored, 1, days);
      assert.equal((await readAll(restored, 1)).daily.at(-1)?.cumulative.views, 71);
      await restored.eraseLearner(1, 2, erasing);
      assert.equal(
        (await readAll(restored, 1)).users.some(({ learnerId }) => learnerId === 2),
        false,
      );
    } finally {
      await restored.close();
    }
  });
});
