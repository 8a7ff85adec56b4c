// nightly: twenty seconds of random operations and kills of servers
import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertFeedsTrue } from '../../src/catalog/feeds/tests/feeds.ts';
import { assertDoctorFindsNothing } from '../catalog-model/assert-doctor-finds-nothing.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { checkHistory } from './check-history.ts';
import { Cluster } from './cluster.ts';
import { FeedClient } from './feed-client.ts';
import { newGround } from './ground.ts';
import { assertChain, assertMovementsOfWrites, assertRealTimeOrder, readLedger } from './ledger.ts';
import { LevelHistories } from './level-history.ts';
import { levelModel } from './level-model.ts';
import { randomInt } from './random.ts';
import { StockClient } from './stock-client.ts';

/** A longer run: `BRANDPORT_LINEARIZABILITY_SECONDS=600 npm test -- server/test/linearizability/linearizability.test.ts`. */
const seconds = Number(process.env['BRANDPORT_LINEARIZABILITY_SECONDS'] ?? 20);
const stockClients = 8;
const feedClients = 2;
/** Few enough that a level has only a handful of concurrent requests: the search grows exponentially with their number. */
const thinkMs = 8;
const killPauseMs = 2_500;
const leastKills = 3;

test(`stock levels are linearizable under adjustments, feeds, reads and kill -9 (${seconds} s)`, {
  timeout: (seconds + 280) * 1_000,
}, async (t) => {
  const database = await createTestDatabase();
  const cluster = await Cluster.start(2, {
    env: {
      DATABASE_URL: databaseUrl(database.address as Parameters<typeof databaseUrl>[0]),
      ...unlimitedCatalog,
    },
  });
  const ground = await newGround(cluster.first);
  const histories = new LevelHistories(ground.places);
  const clients = Array.from({ length: stockClients }, () => new StockClient(cluster, ground, histories));
  const feeders = Array.from({ length: feedClients }, () => new FeedClient(cluster, ground, histories));

  const endsAt = performance.now() + seconds * 1_000;
  let isOver = false;
  const keepRunning = async (client: { runOne(): Promise<void> }) => {
    while (!isOver) {
      await client.runOne();
      await sleep(randomInt(thinkMs));
    }
  };
  const killing = cluster.killUntil(endsAt, killPauseMs, leastKills).finally(() => {
    isOver = true;
  });
  await Promise.all([...[...clients, ...feeders].map(keepRunning), killing]);

  const reader = clients[0] as StockClient;
  const adjustments = clients.flatMap(({ acknowledged }) => acknowledged);
  const feeds = feeders.flatMap(({ applied }) => applied);
  const last = await reader.sendUntilKnown({ path: '/catalog/stock/levels?per_page=200' });
  histories.addReads(ground.places, last.response.json.data, last);

  let operations = 0;
  for (const [key, history] of histories.entries()) {
    operations += history.length;
    const result = checkHistory(levelModel, history);
    assert.equal(result.verdict, 'linearizable', `${key}: ${JSON.stringify(result)}`);
  }
  let moved = 0;
  for (const place of ground.places) {
    const movements = await readLedger(reader, place);
    moved += movements.length;
    const quantity = assertChain(movements);
    const level = last.response.json.data.find(
      ({ sku, location }: { sku: string; location: string }) => `${sku}@${location}` === place.key,
    );
    assert.equal(level?.quantity ?? 0, quantity, place.key);
    assertMovementsOfWrites(place, movements, adjustments, feeds);
    assertRealTimeOrder(movements, adjustments, feeds);
  }
  await cluster.stop();
  await assertFeedsTrue(database);
  await assertDoctorFindsNothing(database.address);

  const lost = clients.reduce((sum, client) => sum + client.lostAttempts, 0);
  const replays = clients.reduce((sum, client) => sum + client.replays, 0);
  t.diagnostic(
    `${operations} operations on ${ground.places.length} levels, ${adjustments.length} adjustments set, ${feeds.length} ` +
      `feeds, ${moved} movements, ${cluster.kills} kills, ${lost} lost attempts, ${replays} replays`,
  );
  assert.ok(lost > 0, 'some requests were cut off by the kills');
});
