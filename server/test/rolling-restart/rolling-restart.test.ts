import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import pg from 'pg';
import { scopes } from '../../src/api/access.ts';
import { reportOf } from '../../src/catalog/feeds/tests/feeds.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { assertDoctorFindsNothing } from '../catalog-model/assert-doctor-finds-nothing.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { logLinesOf } from '../support/server-output.ts';
import {
  projectDir,
  type ServerProcess,
  spawnServer,
  startServerProcess,
} from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';
import { makeNewerVersion } from './newer-version.ts';
import { Traffic } from './traffic.ts';

/** Another checkout to upgrade from to this one; default: from this one to a copy with a migration more. */
const oldCheckout = process.env['BRANDPORT_UPGRADE_FROM'];
const oldProject = oldCheckout ?? projectDir;
const newProject = oldCheckout === undefined ? await makeNewerVersion() : projectDir;

const address = await createDatabase();
const env = {
  DATABASE_URL: databaseUrl(address),
  BRANDPORT_DEMO: undefined,
  ...unlimitedCatalog,
};

test('a newer version takes over on the same database while an older one serves', async (t) => {
  const old = await startServerProcess({ env, project: oldProject });
  const { id: brandId } = await ok(old.admin.post('/brands', { name: 'Rolling' }), 201);
  const key = await ok(old.admin.post(`/brands/${brandId}/keys`, { name: 'Rolling', scopes }), 201);
  const traffic = new Traffic([old], key.api_key, 6);
  await waitFor('the old version to serve', () => traffic.acknowledged.length > 60, 60_000);

  // A report holds a lock that the migration needs. Requests behind the migration must not wait for all of it.
  const report = oldCheckout === undefined ? await openReport() : null;
  traffic.takeSlowest();
  const starting = startServerProcess({ env, project: newProject });
  starting.catch(() => {}); // reported where it is awaited
  if (report !== null) {
    await waitFor('the migration to wait for the report', isMigrationWaiting, 60_000);
    const before = traffic.acknowledged.length;
    await waitFor('requests to go on meanwhile', () => traffic.acknowledged.length > before + 30, 60_000);
    await report.query('commit');
    await report.end();
  }
  const next = await starting;
  const slowest = traffic.takeSlowest();
  traffic.servers = [old, next];
  const both = traffic.acknowledged.length;
  await waitFor('both versions to serve', () => traffic.acknowledged.length > both + 60, 60_000);
  traffic.servers = [next];
  assert.equal((await old.stop()).code, 0);
  const alone = traffic.acknowledged.length;
  await waitFor('the new version to serve alone', () => traffic.acknowledged.length > alone + 60, 60_000);
  await traffic.stop();
  t.diagnostic(
    `${traffic.requests} requests, ${traffic.failures.length} retries, ${traffic.feeds.length} feeds; the slowest request while the ` +
      `migration waited took ${Math.round(slowest)} ms`,
  );
  assert.ok(slowest < 9_000, `${slowest} ms`);

  await traffic.replayAll();
  const created = traffic.acknowledged.filter(({ path }) => path === '/catalog/products').length;
  assert.equal((await traffic.read('/catalog/products?per_page=1')).json.meta.total, created);
  const client = next.clientWith(key.api_key);
  for (const feed of traffic.feeds) assert.equal((await reportOf(client, feed)).status, 'completed');
  for (const server of [old, next]) assertNoErrors(server);
  assert.equal((await next.stop()).code, 0);
  if (oldCheckout === undefined) await assertDoctorFindsNothing(address);

  // Two versions may have one schema.
  const [oldRevision, newRevision] = await Promise.all([oldProject, newProject].map(revisionOf));
  if (oldRevision === newRevision) return;
  const refused = await spawnServer({ env, project: oldProject });
  assert.equal((await refused.exit).code, 1);
  assert.match(refused.stderr(), /newer Brandport/);
});

function revisionOf(project: string): Promise<string> {
  return readFile(join(project, 'server/database/main/revision.txt'), 'utf8');
}

/** A transaction that reads a table, and stays open. */
async function openReport(): Promise<pg.Client> {
  const client = new pg.Client(address);
  await client.connect();
  await client.query('begin');
  await client.query('select count(*) from products');
  return client;
}

async function isMigrationWaiting(): Promise<boolean> {
  const rows = await runSql(
    address,
    `select 1 from pg_stat_activity where datname = current_database() and application_name = 'brandport-migrate'
       and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

function assertNoErrors(server: ServerProcess): void {
  assert.deepEqual(
    logLinesOf(server.stderr()).filter(({ level }) => level >= 50),
    [],
  );
}
