import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { lockDataDir } from '../../src/postgres/embedded/data-dir.ts';
import { connectToEmbedded } from '../support/embedded-connection.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { findPostgresPid } from '../support/postgres-process.ts';
import { type CommandOutcome, runCommand } from '../support/run-command.ts';
import { seedBrand } from '../support/seed.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

/** Runs `brandport doctor` as an operator does. */
function doctor(env: Readonly<Record<string, string>>, ...args: string[]): Promise<CommandOutcome> {
  return runCommand(env, 'doctor', ...args);
}

describe('brandport doctor', { concurrency: 2 }, () => {
  test('works next to a running server: finds mismatches, repairs them, and the server keeps serving', async () => {
    const server = await startServerProcess();
    const { client, brandId } = await seedBrand(server);
    assert.equal((await client.create('/catalog/products', { sku: 'A' })).status, 201);
    const env = { BRANDPORT_DATA_DIR: server.dataDir };
    const healthy = await doctor(env);
    assert.deepEqual([healthy.code, healthy.stdout], [0, 'Examined 1 brand: everything adds up.\n']);

    const database = await connectToEmbedded(server.dataDir);
    await database.query('update brand_catalogs set products_total = 7');
    await database.query("insert into sku_claims values ($1, 'GHOST', 'product', 'nobody')", [brandId]);
    const found = await doctor(env);
    assert.equal(found.code, 1);
    assert.equal(
      found.stdout,
      `brand ${brandId}  sku_claims  GHOST  kind: is product, should be null (repairable)\n` +
        `brand ${brandId}  sku_claims  GHOST  tu_id: is nobody, should be null (repairable)\n` +
        `brand ${brandId}  product_counters  Test brand  products_total: is 7, should be 1 (repairable)\n` +
        'Examined 1 brand: 3 differences, 0 repaired, 3 left.\n',
    );
    const { checks, ...counts } = JSON.parse((await doctor(env, '--json')).stdout);
    assert.deepEqual(counts, { brands: 1, found: 3, repaired: 0, left: 3, skipped_days: 0 });
    assert.deepEqual(checks[1], {
      check: 'product_counters',
      brand_id: brandId,
      found: 1,
      repaired: 0,
      differences: [
        { id: 'Test brand', field: 'products_total', stored: '7', actual: '1', outcome: 'repairable' },
      ],
    });
    const repaired = await doctor(env, '--repair');
    assert.equal(repaired.code, 0);
    assert.match(repaired.stdout, /\(repaired\)\nExamined 1 brand: 3 differences, 3 repaired, 0 left\.\n$/);
    assert.equal((await doctor(env)).code, 0);

    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const put = async (path: string, items: object[]) =>
      assert.equal((await server.admin.put(`/brands/${brandId}/${path}`, { items })).status, 200);
    await put('users', [{ tu_id: 'u' }]);
    const event = { event_id: 'e', occurred_at: `${day}T12:00:00Z`, kind: 'view', user: 'u' };
    const items = [{ ...event, content: { type: 'episode', tu_id: 'c' } }];
    assert.equal((await server.admin.post(`/brands/${brandId}/events`, { items })).status, 200);
    const dirty = await doctor(env);
    assert.equal(dirty.code, 0);
    // The nightly run may have aggregated the day before the event arrived.
    assert.match(
      dirty.stdout,
      /^(Skipped: 1 days that are dirty\.\n)?Examined 1 brand: everything adds up\.\n$/,
    );
    await server.admin.post(`/brands/${brandId}/aggregations`, { from: day, to: day });
    await database.query('update analytics.daily set cumulative_views = cumulative_views + 1000');
    const analytics = await doctor(env);
    assert.equal(analytics.code, 1);
    assert.match(analytics.stdout, /dataset_daily .* cumulative_views: is 1001, should be 1 \(repairable\)/);
    assert.equal((await doctor(env, '--repair')).code, 0);
    assert.equal((await doctor(env)).code, 0);
    await database.end();
    assert.equal((await client.get('/catalog/products')).json.meta.total, 1);
    assert.equal((await sendHttp(`${server.clientUrl}/readyz`)).status, 200);
    assert.equal((await server.stop()).code, 0);
  });

  test('starts the embedded database where no server runs, and leaves it stopped and free', async () => {
    const server = await startServerProcess();
    await seedBrand(server);
    await server.stop();
    const env = { BRANDPORT_DATA_DIR: server.dataDir };
    const outcome = await doctor(env);
    assert.deepEqual([outcome.code, outcome.stdout], [0, 'Examined 1 brand: everything adds up.\n']);
    assert.equal(findPostgresPid(server.dataDir), null);
    const next = await startServerProcess({ env });
    assert.equal((await next.stop()).code, 0);
  });

  test('makes no database where there is none, and says so', async () => {
    const dataDir = join(await makeDataDir(), 'none');
    const { code, stdout, stderr } = await doctor({ BRANDPORT_DATA_DIR: dataDir });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, new RegExp(`^There is no database in ${dataDir} \\(BRANDPORT_DATA_DIR\\)`));
    assert.ok(!existsSync(dataDir));
  });

  test('explains what to do when the data directory is in use and its database is not accessible', async () => {
    const server = await startServerProcess();
    await server.stop();
    const lock = await lockDataDir(server.dataDir);
    const { code, stderr } = await doctor({ BRANDPORT_DATA_DIR: server.dataDir });
    await lock.release();
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`in use by process ${process.pid}\\..*database is not accessible`));
    assert.doesNotMatch(stderr, /^\s+at /m);
  });

  test('does not migrate: on an older schema it says what to do and writes nothing', async () => {
    const url = databaseUrl(await createDatabase());
    const { code, stdout, stderr } = await doctor({ DATABASE_URL: url });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /run `brandport migrate` first/);
  });

  test('reports an unavailable database', async () => {
    const { code, stderr } = await doctor({ DATABASE_URL: 'postgresql://brandport@127.0.0.1:1/none' });
    assert.equal(code, 1);
    assert.match(stderr, /^The database of DATABASE_URL cannot be reached: /);
    assert.doesNotMatch(stderr, /^\s+at /m);
  });
});
