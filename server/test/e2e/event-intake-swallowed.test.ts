import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

/** docs/operations.md, "Database timeouts": 22 s in the middle of a statement; the rest is for a busy machine. */
const limitMs = 27_000;

// [platform-20]
test('an intake of events whose network swallows everything is answered within the limit of one statement', async () => {
  const address = await createDatabase();
  const proxy = await startTcpProxy(address);
  const url = databaseUrl({ ...address, host: '127.0.0.1', port: proxy.port });
  const server = await startServerProcess({ env: { DATABASE_URL: url } });
  const brand = (await server.admin.post('/brands', { name: 'Swallowed' })).json.id;
  const user = 'u-swallowed';
  const put = await server.admin.put(`/brands/${brand}/users`, { items: [{ tu_id: user }] });
  assert.ok(put.status < 300, put.text);
  const holder = new pg.Client(address);
  await holder.connect();
  await holder.query('begin; lock table analytics.event_claims in access exclusive mode');
  const occurred_at = new Date(Date.now() - 3_600_000).toISOString();
  const event = {
    event_id: 'e-1',
    user,
    kind: 'view',
    occurred_at,
    content: { type: 'episode', tu_id: 'c-1' },
  };
  const start = performance.now();
  const answer = server.admin.post(`/brands/${brand}/events`, { items: [event] });
  await waitFor('the intake to wait for the table', async () => {
    const waiting = 'select from pg_locks where not granted and relation is not null';
    return (await runSql(address, waiting)).length > 0;
  });
  proxy.hang();
  await holder.query('rollback');
  await holder.end();
  const { status, text, headers } = await answer;
  const tookMs = performance.now() - start;
  assert.equal(status, 503, text);
  assert.match(headers['retry-after'] ?? '', /^[1-9]/);
  assert.ok(tookMs < limitMs, `${Math.round(tookMs)} ms`);
  await proxy.restore();
  assert.equal((await server.stop()).code, 0);
});
