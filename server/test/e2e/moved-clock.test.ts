import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scopes } from '../../src/api/access.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { randomHex } from '../../src/lib/ids.ts';
import type { ApiClient } from '../support/api-client.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { logLinesOf } from '../support/server-output.ts';
import { makeDataDir, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const hourMs = 3_600_000;
const midnight = Date.parse('2028-01-01T00:00:00Z');
const readsPerMinute = 12;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A server in a time zone whose clock the test sets. */
async function startMoved(zone: string) {
  const file = join(await makeDataDir(), 'clock');
  const setClock = (to: number) => writeFileSync(file, String(to - Date.now()));
  setClock(midnight - hourMs);
  const server = await startServerProcess({
    env: {
      DATABASE_URL: databaseUrl(await createDatabase()),
      BRANDPORT_DEMO: undefined,
      BRANDPORT_LIMIT_CATALOG_READS: String(readsPerMinute),
      BRANDPORT_LIMIT_CATALOG_WRITES: '0',
      BRANDPORT_LIMIT_CATALOG_BRAND: '0',
      TZ: zone,
      TEST_CLOCK_OFFSET_FILE: file,
      NODE_OPTIONS: `--import ${new URL('../support/moved-clock.ts', import.meta.url).href}`,
    },
  });
  /** Returns the server's time of its last log line. */
  const clockOf = () => Date.parse((logLinesOf(server.stderr()).at(-1) as unknown as { time: string }).time);
  return { server, setClock, clockOf };
}

for (const zone of ['Pacific/Apia', 'America/St_Johns'])
  test(`a server in ${zone} runs over the end of a year, and through jumps of its clock`, async () => {
    const { server, setClock, clockOf } = await startMoved(zone);
    const { id } = await ok(server.admin.post('/brands', { name: 'Clock' }), 201);
    const key = await ok(server.admin.post(`/brands/${id}/keys`, { name: 'Clock', scopes }), 201);
    const client = server.clientWith(key.api_key);
    await ok(server.admin.put(`/brands/${id}/users`, { items: [{ tu_id: 'u' }] }));

    setClock(midnight - 500);
    await send(server, id, midnight - 1);
    await waitFor('the new year', async () => {
      await write(client);
      return clockOf() >= midnight;
    });
    await send(server, id, midnight);
    const aggregated = await server.admin.post(`/brands/${id}/aggregations`, {
      from: '2027-12-31',
      to: '2027-12-31',
    });
    assert.equal(aggregated.status, 200, aggregated.text);
    const { data } = await ok(client.get('/analytics/metrics/daily?from=2027-12-01'));
    assert.deepEqual(
      data.map((row: { date: string; cumulative: { views: number } }) => [row.date, row.cumulative.views]),
      [['2027-12-31', 1]],
    );

    const headers = { 'idempotency-key': 'over-the-jumps' };
    const first = await client.post('/catalog/products', { sku: 'KEPT' }, headers);
    assert.match(first.json.updated_at, instant);
    for (const jump of [hourMs, -2 * hourMs, hourMs]) {
      const from = clockOf();
      setClock(from + jump);
      await waitFor('the jump', async () => {
        await write(client);
        return Math.abs(clockOf() - from - jump) < 60_000;
      });
      await assertLimited(client, clockOf);
      const again = await client.post('/catalog/products', { sku: 'KEPT' }, headers);
      assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true']);
    }
    const alarms = logLinesOf(server.stderr()).filter(({ level }) => level >= 50);
    assert.deepEqual(alarms, []);
    const stopping = performance.now();
    assert.equal((await server.stop()).code, 0);
    assert.ok(performance.now() - stopping < 10_000);
  });

async function write(client: ApiClient): Promise<void> {
  const { status, text } = await client.create('/catalog/products', { sku: randomHex(8) });
  assert.equal(status, 201, text);
}

async function send(server: ServerProcess, brandId: number, at: number): Promise<void> {
  const event = { event_id: randomHex(8), occurred_at: new Date(at).toISOString(), kind: 'view', user: 'u' };
  const { status, text, json } = await server.admin.post(`/brands/${brandId}/events`, {
    items: [{ ...event, content: { type: 'episode', tu_id: 'e' } }],
  });
  assert.equal(status, 200, text);
  assert.deepEqual(json.rejected, []);
}

/** Reads until the limit refuses. Regardless of the clock, the reported wait is at most one window. */
async function assertLimited(client: ApiClient, clockOf: () => number): Promise<void> {
  for (let n = 0; n <= readsPerMinute; n += 1) {
    const { status, text, headers } = await client.get('/catalog/products?per_page=1');
    const reset = Number(headers['x-ratelimit-reset']) - clockOf() / 1000;
    assert.ok(reset > -2 && reset < 63, `reset in ${reset} s`);
    if (status === 200) continue;
    assert.equal(status, 429, text);
    const wait = Number(headers['retry-after']);
    assert.ok(wait >= 1 && wait <= 60, `Retry-After: ${wait}`);
    return;
  }
  assert.fail('no request was refused');
}
