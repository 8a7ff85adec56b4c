// nightly: workers are killed in the middle of large feeds, round after round
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopes } from '../../src/api/access.ts';
import {
  addProducts,
  assertFeedsTrue,
  assertTotalsAddUp,
  levelsOf,
  reportOf,
  type SentLine,
  sendFeed,
} from '../../src/catalog/feeds/tests/feeds.ts';
import { newLocation } from '../../src/catalog/stock/tests/stock.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import type { ApiClient } from '../support/api-client.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { createTestDatabase, databaseUrl, type TestDatabase } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const rounds = 4;
const locations = ['L', 'M'];
const skus = Array.from({ length: 2_000 }, (_, index) => `S${index}`);

/** A database that several processes share. */
async function newGround() {
  const database = await createTestDatabase();
  const start = (role: string): Promise<ServerProcess> =>
    startServerProcess({
      env: {
        DATABASE_URL: databaseUrl(database.address as Parameters<typeof databaseUrl>[0]),
        BRANDPORT_ROLE: role,
        ...unlimitedCatalog,
      },
    });
  return { database, start };
}

/** A client of the server with every scope. */
async function newClient(server: ServerProcess, brandId: number) {
  const key = await ok(server.admin.post(`/brands/${brandId}/keys`, { name: 'Test', scopes }), 201);
  return server.clientWith(key.api_key);
}

/** A brand with products and locations for the feeds of this file. */
async function newBrand(server: ServerProcess, database: TestDatabase) {
  const { id: brandId } = await ok(server.admin.post('/brands', { name: 'Test' }), 201);
  const client = await newClient(server, brandId);
  await addProducts(database, brandId, skus);
  for (const code of locations) await newLocation(client, code);
  return { brandId: brandId as number, client };
}

/** Feeds that arrive out of order: feed n is dated minute `minutes[n]` and sets its own quantities. */
function feedOf(minute: number): SentLine[] {
  return skus.flatMap((sku, index) =>
    locations.map((location_code) => ({
      sku,
      location_code,
      quantity: (index * 7 + minute * 13) % 1_000,
      updated_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    })),
  );
}

async function assertCompleted(client: ApiClient, feeds: readonly string[]): Promise<void> {
  for (const feedId of feeds) {
    const report = await reportOf(client, feedId, 120_000);
    assert.equal(report.status, 'completed', report.message);
    assertTotalsAddUp(report.totals);
  }
}

// [catalog-116]
test(`a worker that is killed in the middle of a feed, ${rounds} times over, loses no line and applies none twice`, async (t) => {
  const { database, start } = await newGround();
  const api = await start('api');
  const { client, brandId } = await newBrand(api, database);
  const minutes = [3, 1, 5, 2, 5, 4];
  const feeds: string[] = [];
  for (const minute of minutes) feeds.push((await sendFeed(client, feedOf(minute))).json.feed_id);

  const progress = async () => {
    const rows = await database.sql<{ next: number }>(
      'select sum(next_line)::integer as next from stock_feeds',
    );
    return rows[0]?.next ?? 0;
  };
  const kills: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const worker = await start('worker');
    const from = await progress();
    await waitFor('the worker to have applied something', async () => (await progress()) > from, 60_000);
    await worker.kill9();
    kills.push(await progress());
  }
  const total = minutes.length * skus.length * locations.length;
  assert.ok((kills[0] as number) < total, 'the first kill came in the middle');
  t.diagnostic(`lines decided at each kill: ${kills.join(', ')} of ${total}`);

  const worker = await start('worker');
  await assertCompleted(client, feeds);
  await assertFeedsTrue(database);
  // Computed only from what was sent: the newest feed wins, of two equally new ones the later.
  const expected = new Map(feedOf(5).map((line) => [`${line.sku}@${line.location_code}`, line.quantity]));
  const levels = await levelsOf(database, brandId);
  assert.deepEqual(
    Object.fromEntries([...levels].map(([place, { quantity }]) => [place, quantity])),
    Object.fromEntries(expected),
  );
  // In order of receipt: minute 1 follows 3, minutes 2 and 4 follow 5, and a second 5 changes nothing.
  const results = await Promise.all(feeds.map(async (feedId) => (await reportOf(client, feedId)).totals));
  const all = skus.length * locations.length;
  assert.equal(results[1].stale, all);
  assert.equal(results[3].stale, all);
  assert.equal(results[4].unchanged, all);
  assert.equal(results[5].stale, all);
  assert.equal((await worker.stop()).code, 0);
});

test('two workers share the feeds of several brands, and one continues alone when the other is killed', async () => {
  const { database, start } = await newGround();
  const [api, first, second] = await Promise.all([start('api'), start('worker'), start('worker')]);
  const brands = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const brand = await newBrand(api, database);
      const feeds: string[] = [];
      for (const minute of [1, 2, 3]) feeds.push((await sendFeed(brand.client, feedOf(minute))).json.feed_id);
      return { ...brand, feeds };
    }),
  );
  await waitFor('some feeds to be under way', async () => {
    const rows = await database.sql(`select 1 from stock_feeds where status <> 'queued'`);
    return rows.length >= 3;
  });
  await first.kill9();
  for (const { client, feeds } of brands) await assertCompleted(client, feeds);
  await assertFeedsTrue(database);
  const figures = new Map(feedOf(3).map((line) => [`${line.sku}@${line.location_code}`, line.quantity]));
  for (const { brandId } of brands)
    for (const [place, { quantity }] of await levelsOf(database, brandId))
      assert.equal(quantity, figures.get(place), place);
  const [moved] = await database.sql<{ movements: number; expected: number }>(
    `select count(*)::integer as movements,
       (select count(*)::integer from stock_feed_lines where result = 'applied') as expected
     from stock_movements`,
  );
  // A line that sets 0 where no level exists is applied and creates no movement.
  assert.ok((moved?.movements ?? 0) <= (moved?.expected ?? 0));
  assert.equal((await second.stop()).code, 0);
});

test('a stop in the middle of a feed ends in time, and the next start continues', async () => {
  const { database, start } = await newGround();
  const server = await start('all');
  const { client, brandId } = await newBrand(server, database);
  const feeds: string[] = [];
  for (const minute of [1, 2, 3, 4]) feeds.push((await sendFeed(client, feedOf(minute))).json.feed_id);
  await waitFor('the first feed to be under way', async () => {
    const rows = await database.sql('select 1 from stock_feeds where next_line > 0');
    return rows.length > 0;
  });
  const stopping = Date.now();
  assert.equal((await server.stop()).code, 0);
  assert.ok(Date.now() - stopping < 10_000);
  const again = await start('all');
  const reader = await newClient(again, brandId);
  for (const feedId of feeds) assert.equal((await reportOf(reader, feedId, 120_000)).status, 'completed');
  await assertFeedsTrue(database);
});
