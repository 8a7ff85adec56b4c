import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { createClient } from '@clickhouse/client';
import { createDatabase } from '../../../../server/test/support/fresh-database.ts';
import { runCommand } from '../../../../server/test/support/run-command.ts';
import { makeDataDir, startServerProcess } from '../../../../server/test/support/server-process.ts';
import { databaseUrl } from '../../../../server/test/support/test-database.ts';
import { isClickHouseInstalled, startClickHouseEngine } from '../support/clickhouse-engine.ts';

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

// [D215]
it('the commands move a brand between servers whose events are in ClickHouse', {
  skip: !isClickHouseInstalled(),
  timeout: 280_000,
}, async (t) => {
  const engine = await startClickHouseEngine();
  t.after(() => engine.stop());
  const admin = createClient({ url: engine.url });
  for (const cell of ['00', '01']) await admin.command({ query: `create database cell_${cell}` });
  await admin.close();
  const startCell = async (cell: string) => {
    const env = {
      DATABASE_URL: databaseUrl(await createDatabase()),
      BRANDPORT_CLICKHOUSE_URL: `${engine.url}/cell_${cell}`,
      BRANDPORT_CELL: cell,
      BRANDPORT_CURSOR_SECRET: 'the-cursor-secret-of-both-cells-7d1f',
    };
    return { env, server: await startServerProcess({ env: { BRANDPORT_DEMO: undefined, ...env } }) };
  };
  const [source, target] = [await startCell('00'), await startCell('01')];
  const run = async ({ env }: typeof source, ...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(env, ...(args as [string, ...string[]]));
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };

  const { json: brand } = await source.server.admin.post('/brands', { name: 'Moves' });
  const url = `/brands/${brand.id}`;
  const scopes = ['analytics.metrics:read', 'analytics.users:read', 'catalog.products:read'];
  const { json: key } = await source.server.admin.post(`${url}/keys`, { name: 'BI', scopes });
  const users = Array.from({ length: 6 }, (_, n) => `u${n}`);
  await source.server.admin.put(`${url}/users`, { items: users.map((tu_id) => ({ tu_id })) });
  await source.server.admin.put(`${url}/contents`, { items: [{ type: 'episode', tu_id: 'c0' }] });
  const items = users.map((user) => ({
    event_id: `event of ${user}`,
    occurred_at: `${yesterday}T10:00:00Z`,
    kind: 'view',
    user,
    content: { type: 'episode', tu_id: 'c0' },
  }));
  assert.equal((await source.server.admin.post(`${url}/events`, { items })).json.accepted, 6);
  const range = { from: yesterday, to: yesterday };
  assert.equal((await source.server.admin.post(`${url}/aggregations`, range)).json.days, 1);
  const path = '/analytics/users/contents?per_page=4';
  const first = await source.server.clientWith(key.api_key).get(path);
  const rest = `${path}&cursor=${encodeURIComponent(first.json.meta.next_cursor)}`;
  const second = await source.server.clientWith(key.api_key).get(rest);
  assert.deepEqual([first.json.data.length, second.json.data.length], [4, 2]);

  const file = join(await makeDataDir(), 'brand.tar');
  const id = String(brand.id);
  await run(source, 'brand', 'close', id);
  const refused = await source.server.clientWith(key.api_key).get(path);
  assert.equal(refused.status, 503, refused.text);
  assert.match(await run(source, 'brand', 'export', id, '--out', file), /rows/);
  const { BRANDPORT_CLICKHOUSE_URL: _, ...withoutClickHouse } = target.env;
  const without = await runCommand(withoutClickHouse, 'brand', 'import', file);
  assert.deepEqual(
    [without.code, /set BRANDPORT_CLICKHOUSE_URL/.test(without.stderr)],
    [1, true],
    without.stderr,
  );
  await run(target, 'brand', 'import', file);
  assert.match(await run(source, 'brand', 'keys', id, '--cell', '01'), /cell_01/);
  await run(source, 'brand', 'remove', id);

  const client = target.server.clientWith(key.api_key);
  const again = await client.get(path);
  assert.deepEqual(again.json.data, first.json.data);
  const revision = 'brandport-window-revision';
  assert.equal(again.headers[revision], first.headers[revision]);
  assert.equal((await client.get(rest)).text, second.text);
  assert.equal((await target.server.admin.post(`${url}/events`, { items })).json.duplicates, 6);
  for (const cell of [source, target]) assert.match(await run(cell, 'doctor'), /everything adds up/);
  for (const { server } of [source, target]) assert.equal((await server.stop()).code, 0);
});
