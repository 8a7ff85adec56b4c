// nightly: installs the packages of two versions by npm, and uses them for a day
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { version } from '../../../client/src/version.ts';
import { findRuntime } from '../../../client/tests/find-runtime.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { findDataSet } from '../real-data/data-set.ts';
import { findFreePort } from '../support/free-port.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { findDemoKey } from '../support/server-output.ts';
import { projectDir, type ServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { newStranger } from './stranger.ts';

const run = promisify(execFile);
/** The checkout whose packages the day begins with; default: this one. */
const before = process.env['BRANDPORT_UPGRADE_FROM'] ?? projectDir;
const { dir, home, brandport, serve } = await newStranger(process.execPath);
const warehouse = await createDatabase();
/** A warehouse belongs to the address of one service. */
const address = { PORT: String(await findFreePort()) };
const runtimes = [process.execPath, findRuntime('bun', () => true)].filter((runtime) => runtime !== null);
const product = { sku: 'DAY-1', title: 'Größe 1', price_value: 9.5 };
const once = { 'idempotency-key': 'first-of-the-day' };
let server: ServerProcess;
let apiKey = '';

async function install(checkout: string): Promise<void> {
  const from = join(checkout, 'client/tests/install-tarballs.ts');
  const { tarballOf } = (await import(from)) as typeof import('../../../client/tests/install-tarballs.ts');
  const tarballs = [await tarballOf('client'), await tarballOf('cli'), await tarballOf('server')];
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: dir });
}

const environment = () => ({ BRANDPORT_URL: server.clientUrl, BRANDPORT_API_KEY: apiKey });
const cli = (...args: string[]) => brandport(args, environment());
const client = () => server.clientWith(apiKey);
const listed = async () => (await ok(client().get('/catalog/products?per_page=200'))).data;
/** Runs a program as this user, who may run all runtimes and connect to the PostgreSQL of the tests. */
const asThisUser = (program: string, ...args: string[]) =>
  run(program, args, { cwd: dir, env: { ...process.env, ...environment() } });
const pullCommand = ['node_modules/.bin/brandport', 'pull', '--out', databaseUrl(warehouse)];
const pull = (...options: string[]) => asThisUser(process.execPath, ...pullCommand, ...options);

// One test: a server ends with the test that has started it.
test('a day with the packages alone, from the version before to a restore', async () => {
  await install(before);
  server = await serve(address);
  apiKey = findDemoKey(server.stderr()) ?? '';
  await ok(client().post('/catalog/products', product, once), 201);
  await upgrade();
  for (const runtime of runtimes) await useSdk(runtime);
  await syncExport();
  await pullFigures();
  await restoreBackup();
});

/** Installs the packages of this version beside the data, behind a backup: nothing of the version before changes. */
async function upgrade(): Promise<void> {
  const [replay, products] = [await client().post('/catalog/products', product, once), await listed()];
  await brandport(['backup', 'before.tar']);
  assert.equal((await server.stop()).code, 0);
  await install(projectDir);
  assert.equal((await brandport(['--version'])).stdout, `${version}\n`);
  server = await serve(address);
  assert.deepEqual(await listed(), products);
  const again = await client().post('/catalog/products', product, once);
  assert.deepEqual([again.text, again.headers['idempotency-replayed']], [replay.text, 'true']);
}

async function useSdk(runtime: string): Promise<void> {
  const source = `import { Brandport } from '@brandport/client';
    const { catalog } = new Brandport({ baseUrl: process.env.BRANDPORT_URL, apiKey: process.env.BRANDPORT_API_KEY });
    const { sku } = await catalog.products.create({ sku: process.execPath.slice(-64), title: 'SDK' });
    let found = 0;
    for await (const product of catalog.products.list()) found += Number(product.sku === sku);
    console.log(found);`;
  await writeFile(join(dir, 'shop.mjs'), source);
  assert.equal((await asThisUser(runtime, 'shop.mjs')).stdout, '1\n');
}

async function syncExport(): Promise<void> {
  await writeFile(join(home, 'apparel.csv'), await findDataSet('shopify-product-csvs').bytes('apparel.csv'));
  const sync = ['sync', '--from', 'shopify', 'apparel.csv', '--location', 'shop', '--yes'];
  assert.match((await cli(...sync)).stdout, /\+ create \d+/);
  assert.match((await cli(...sync)).stdout, /^= \d+ same\nnothing to do\n$/);
}

async function pullFigures(): Promise<void> {
  const day = '2026-03-01';
  const event = { event_id: 'e1', occurred_at: `${day}T10:00:00Z`, kind: 'view', user: 'u-4711' };
  const items = [{ ...event, content: { type: 'episode', tu_id: 'ep-12' }, time_spent_seconds: 30 }];
  assert.equal((await ok(server.admin.post('/brands/1/events', { items }))).accepted, 1);
  await ok(server.admin.post('/brands/1/aggregations', { from: day, to: day }));
  await pull();
  await pull('--verify');
  const rows = await runSql(warehouse, 'select user_tu_id from brandport_1.users');
  assert.deepEqual(rows, [{ user_tu_id: 'u-4711' }]);
}

/** Restores into another directory, in which everything is as it was, for the warehouse too. */
async function restoreBackup(): Promise<void> {
  const products = await listed();
  await brandport(['backup', 'day.tar']);
  await ok(client().create('/catalog/products', { sku: 'LATER', title: 'After the backup' }), 201);
  assert.equal((await server.stop()).code, 0);
  await brandport(['doctor']);
  const restored = { ...address, BRANDPORT_DATA_DIR: join(home, 'restored') };
  await brandport(['restore', 'day.tar', '--verify'], restored);
  server = await serve(restored);
  assert.deepEqual(await listed(), products);
  await pull();
  await pull('--verify');
  assert.equal((await server.stop()).code, 0);
}
