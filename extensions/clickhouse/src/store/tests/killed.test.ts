// nightly: kills the engine during writes, round after round
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@clickhouse/client';
import type { AnalyticsStore } from '../../../../../server/src/analytics/store/analytics-store.ts';
import { createAnalyticsStore } from '../../../../../server/src/analytics/store/analytics-store.ts';
import { aggregate, readAll } from '../../../../../server/src/analytics/tests/store-samples.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../server/test/support/test-database.ts';
import { waitFor } from '../../../../../server/test/support/wait-for.ts';
import {
  type ClickHouseEngine,
  isClickHouseInstalled,
  startClickHouseEngine,
} from '../../../test/support/clickhouse-engine.ts';
import { createClickHouseAnalyticsStore } from './clickhouse-store.ts';
import { batchSize, days, eventsOf } from './numbered-events.ts';
import type { StoreWork } from './store-process.ts';

const isInstalled = isClickHouseInstalled();
const batches = Array.from({ length: 30 }, (_, index) => index);
const markets = { marketIds: [1, 2] };

interface Killable {
  readonly store: AnalyticsStore;
  readonly database: TestDatabase;
  engine(): ClickHouseEngine;
  killAndRestart(): Promise<void>;
}

/** A store on its own engine, which restarts on its directory and port. */
async function createKillableStore(): Promise<Killable> {
  const directory = mkdtempSync(join(tmpdir(), 'brandport-clickhouse-kill-'));
  const database = await createTestDatabase();
  let engine = await startClickHouseEngine({ directory });
  const store = createClickHouseAnalyticsStore({ address: database.address, clickHouseUrl: engine.url });
  database.beforeClose(async () => {
    await store.close();
    await engine.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  await store.prepare();
  return {
    store,
    database,
    engine: () => engine,
    killAndRestart: async () => {
      await engine.kill();
      engine = await startClickHouseEngine({ directory, port: engine.port });
    },
  };
}

/** Repeats what a killed engine interrupts, as a client does after 503. Returns the number of failures. */
async function untilDone(work: () => Promise<unknown>): Promise<number> {
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      return failures;
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'analytics_unavailable', String(error));
      await sleep(50);
    }
  }
}

// [D193] [D196]
describe('a killed ClickHouse', { skip: !isInstalled }, async () => {
  let model: AnalyticsStore;
  let expected: Awaited<ReturnType<typeof readAll>>;
  const brandId = 1;

  async function assertEqualsModel(store: AnalyticsStore): Promise<void> {
    await untilDone(() => aggregate(store, brandId, days, markets));
    const rows = await readAll(store, brandId, markets.marketIds);
    for (const dataset of ['daily', 'contents', 'users', 'engagement'] as const)
      assert.deepEqual(rows[dataset], expected[dataset]);
  }

  if (isInstalled) {
    const { address, beforeClose } = await createTestDatabase();
    model = createAnalyticsStore({ address });
    beforeClose(() => model.close());
    for (const batch of batches) await model.appendEvents(brandId, eventsOf(batch));
    await aggregate(model, brandId, days, markets);
    expected = await readAll(model, brandId, markets.marketIds);
  }

  it('three times in an intake that is sent again loses and doubles no event', async () => {
    const { store, killAndRestart } = await createKillableStore();
    let stored = 0;
    let [accepted, failures] = [0, 0];
    const send = async (worker: number) => {
      for (const batch of batches.filter((number) => number % 3 === worker)) {
        failures += await untilDone(async () => {
          const result = await store.appendEvents(brandId, eventsOf(batch));
          assert.equal(result.accepted + result.duplicates, batchSize);
          accepted += result.accepted;
        });
        stored += 1;
      }
    };
    const sending = Promise.all([0, 1, 2].map(send));
    for (const reached of [4, 11, 18]) {
      await waitFor(`${reached} batches`, () => stored >= reached, 60_000);
      await killAndRestart();
    }
    await sending;
    assert.ok(failures > 0, 'no request was interrupted');
    assert.ok(accepted <= batches.length * batchSize, 'an event was accepted twice');
    await assertEqualsModel(store);
  });

  it('three times in an aggregation publishes nothing partial, and leaves nothing behind', async () => {
    const { store, database, engine, killAndRestart } = await createKillableStore();
    for (const batch of batches) await store.appendEvents(brandId, eventsOf(batch));
    await aggregate(store, brandId, days, markets);
    let isKilling = true;
    let failures = 0;
    const aggregating = (async () => {
      for (let round = 0; isKilling; round += 1) {
        // A day in the middle, so that later days are corrected, and all days.
        const range = round % 2 === 0 ? days : { from: '2026-01-30', to: '2026-01-30' };
        failures += await untilDone(() => aggregate(store, brandId, range, markets));
      }
    })();
    for (let kill = 1; kill <= 3; kill += 1) {
      const before = failures;
      await waitFor('rows of an attempt', async () => {
        const [row] = await database.sql<{ n: number }>(
          'select count(*)::integer as n from analytics.unpublished_generations',
        );
        return (row?.n ?? 0) >= kill;
      });
      await killAndRestart();
      await waitFor('an interrupted aggregation', () => failures > before || !isKilling, 60_000).catch(
        () => {},
      );
    }
    isKilling = false;
    await aggregating;
    await assertEqualsModel(store);

    // A day later, by the age of everything that is not published.
    await database.sql(`update analytics.unpublished_generations set since = since - interval '25 hours'`);
    await store.upkeep('2026-02-04');
    const published = await database.sql<{ row: string }>(
      `select distinct dataset || ' ' || generation as row from analytics.published_generations order by 1`,
    );
    const client = createClient({ url: engine().url });
    const left: string[] = [];
    for (const dataset of ['daily', 'contents', 'users', 'content_engagement']) {
      const result = await client.query({
        query: `select distinct generation from ${dataset}`,
        format: 'JSONEachRow',
      });
      for (const { generation } of await result.json<{ generation: number | string }>())
        left.push(`${dataset} ${generation}`);
    }
    await client.close();
    const known = new Set(published.map(({ row }) => row));
    assert.deepEqual(
      left.filter((row) => !known.has(row)),
      [],
    );
    await assertEqualsModel(store);
  });

  it('and three times a killed server, in intake and aggregation, equal the model too', async () => {
    const { store, database, engine } = await createKillableStore();
    const acknowledged = new Set<number>();
    const script = fileURLToPath(new URL('./store-process.ts', import.meta.url));
    const children = new Set<ReturnType<typeof spawn>>();
    after(() => {
      for (const child of children) child.kill('SIGKILL');
    });
    for (const killAfter of [4, 9, 15, null]) {
      const work: StoreWork = {
        address: database.address,
        clickHouseUrl: engine().url,
        brandId,
        // The one that was under way is sent again.
        batches: batches.filter((batch) => !acknowledged.has(batch)),
      };
      const child = spawn(
        process.execPath,
        [...process.execArgv, '--conditions=source', script, JSON.stringify(work)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      children.add(child);
      const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const batch = /^batch (\d+)$/.exec(line)?.[1];
        if (batch !== undefined) acknowledged.add(Number(batch));
        if (killAfter !== null && acknowledged.size >= killAfter) child.kill('SIGKILL');
      });
      const code = await exited;
      children.delete(child);
      assert.equal(code, killAfter === null ? 0 : null);
    }
    await assertEqualsModel(store);
  });
});
