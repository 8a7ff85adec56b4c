import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createClient } from '@clickhouse/client';
import { createDatabase } from '../../../../server/test/support/fresh-database.ts';
import { runCommand } from '../../../../server/test/support/run-command.ts';
import {
  makeDataDir,
  type ServerProcess,
  startServerProcess,
} from '../../../../server/test/support/server-process.ts';
import { databaseUrl } from '../../../../server/test/support/test-database.ts';
import { isClickHouseInstalled, startClickHouseEngine } from '../support/clickhouse-engine.ts';

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const range = { from: yesterday, to: yesterday };

async function send(server: ServerProcess, url: string, ids: readonly string[]) {
  const items = ids.map((event_id) => ({
    event_id,
    occurred_at: `${yesterday}T10:00:00Z`,
    kind: 'view',
    user: 'u0',
    content: { type: 'episode', tu_id: 'c0' },
  }));
  return server.admin.post(`${url}/events`, { items });
}

// [internal-13] [D192] [D205]
describe('a server whose analytics store moves to ClickHouse', { skip: !isClickHouseInstalled() }, () => {
  it('refuses the wrong engine, keeps every row and tag, and answers 503 while ClickHouse is frozen', async (t) => {
    const engine = await startClickHouseEngine();
    t.after(() => engine.stop());
    const admin = createClient({ url: engine.url });
    t.after(() => admin.close());
    await admin.command({ query: 'create database events' });
    const env = { DATABASE_URL: databaseUrl(await createDatabase()) };
    const withClickHouse = { ...env, BRANDPORT_CLICKHOUSE_URL: `${engine.url}/events` };
    const older = await startServerProcess({ env });
    const { json: brand } = await older.admin.post('/brands', { name: 'Analytics' });
    const url = `/brands/${brand.id}`;
    const scopes = ['analytics.metrics:read', 'analytics.users:read', 'catalog.products:read'];
    const { json: key } = await older.admin.post(`${url}/keys`, { name: 'BI', scopes });
    await older.admin.put(`${url}/users`, { items: [{ tu_id: 'u0' }] });
    await older.admin.put(`${url}/contents`, { items: [{ type: 'episode', tu_id: 'c0' }] });
    assert.equal((await send(older, url, ['a', 'b'])).json.accepted, 2);
    assert.equal((await older.admin.post(`${url}/aggregations`, range)).json.days, 1);
    const before = await older.clientWith(key.api_key).get('/analytics/users/contents');
    assert.equal(before.json.data.length, 1);
    const whileRunning = await runCommand(withClickHouse, 'analytics', 'copy');
    assert.deepEqual(
      [whileRunning.code, /Stop them/.test(whileRunning.stderr)],
      [1, true],
      whileRunning.stderr,
    );
    assert.equal((await older.stop()).code, 0);

    const tooEarly = await runCommand(withClickHouse, 'retain');
    assert.match(tooEarly.stderr, /brandport analytics copy/);
    const copied = await runCommand(withClickHouse, 'analytics', 'copy');
    assert.deepEqual([copied.code, /learning_events +2\n/.test(copied.stdout)], [0, true], copied.stderr);
    const wrong = await runCommand(env, 'retain');
    assert.deepEqual([wrong.code, /are in ClickHouse/.test(wrong.stderr)], [1, true], wrong.stderr);

    const server = await startServerProcess({ env: withClickHouse });
    const client = server.clientWith(key.api_key);
    const after = await client.get('/analytics/users/contents');
    assert.deepEqual(after.json.data, before.json.data);
    assert.deepEqual((await send(server, url, ['a', 'c'])).json, {
      ...(await send(server, url, [])).json,
      accepted: 1,
      duplicates: 1,
    });
    assert.equal((await server.admin.post(`${url}/aggregations`, range)).json.days, 1);
    const again = await client.get('/analytics/users/contents');
    assert.equal(again.json.data[0].metrics.views, 3, again.text);

    engine.pause();
    const startedAt = performance.now();
    const away = await client.get('/analytics/users/contents?per_page=7');
    const ms = performance.now() - startedAt;
    assert.deepEqual([away.status, away.json.code], [503, 'analytics_unavailable']);
    assert.ok(ms < 10_000, `${ms} ms`);
    assert.equal((await client.get('/catalog/products')).status, 200);
    engine.resume();
    assert.equal((await client.get('/analytics/users/contents?per_page=8')).status, 200);
    assert.equal((await server.stop()).code, 0);

    const doctor = await runCommand(withClickHouse, 'doctor');
    assert.deepEqual(
      [doctor.code, /everything adds up/.test(doctor.stdout)],
      [0, true],
      doctor.stdout + doctor.stderr,
    );
    const file = join(await makeDataDir(), 'brandport.tar');
    const backup = await runCommand(withClickHouse, 'backup', file);
    assert.equal(backup.code, 0, backup.stderr);
    const elsewhere = { DATABASE_URL: databaseUrl(await createDatabase()) };
    const withCopy = { ...elsewhere, BRANDPORT_CLICKHOUSE_URL: `${engine.url}/copy` };
    await admin.command({ query: 'create database copy' });
    // ClickHouse's own backup is made after Brandport's, and restored after it.
    await admin.command({ query: `backup database events to File('copy')` });
    const restored = await runCommand(withCopy, 'restore', file);
    assert.deepEqual(
      [restored.code, /ClickHouse, whose own backup has them/.test(restored.stderr)],
      [0, true],
      restored.stdout + restored.stderr,
    );
    const missing = await runCommand(withCopy, 'doctor');
    assert.match(missing.stderr, /restore ClickHouse's own backup there/);
    await admin.command({ query: `restore database events as copy from File('copy')` });
    const doctorOfCopy = await runCommand(withCopy, 'doctor');
    assert.match(doctorOfCopy.stdout, /everything adds up/);
    const copy = await startServerProcess({ env: withCopy });
    const pages = await copy.clientWith(key.api_key).get('/analytics/users/contents');
    assert.deepEqual(pages.json.data, again.json.data);
    assert.equal((await copy.stop()).code, 0);
  });
});
