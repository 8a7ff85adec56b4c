import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '../support/fresh-database.ts';
import { createHttpClient, sendHttp } from '../support/http-client.ts';
import { seedBrand } from '../support/seed.ts';
import { startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const server = await startServerProcess({
  env: {
    DATABASE_URL: databaseUrl(await createDatabase()),
    BRANDPORT_LIMIT_CATALOG_READS: '5',
    BRANDPORT_LIMIT_CATALOG_WRITES: '8',
    BRANDPORT_LIMIT_ADDRESS: '12',
  },
});
const products = `${server.clientUrl}/v1/client/catalog/products`;

test('after traffic the metrics count it by route and status, with times, refusals, replays and the use of the pool', async () => {
  const { client, apiKey, keyId } = await seedBrand(server);
  const authorization = `Bearer ${apiKey}`;
  const post = (sku: string, key: string) =>
    sendHttp(products, { method: 'POST', body: { sku }, headers: { authorization, 'idempotency-key': key } });

  assert.equal((await post('A', 'one')).status, 201);
  assert.equal((await post('A', 'one')).status, 201); // a replay
  assert.equal((await post('B', 'one')).status, 409); // another body: reuse
  const race = await Promise.all(Array.from({ length: 5 }, () => post('C', 'two')));
  const conflicts = race.filter(({ status }) => status === 409).length;
  const replays = race.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length;
  assert.equal((await post('D', 'three')).status, 429);
  for (let n = 0; n < 5; n += 1) assert.equal((await client.get('/catalog/products')).status, 200);
  assert.equal((await client.get('/catalog/products/unknown')).status, 429);

  const wrong = `${keyId}.${'x'.repeat(40)}`;
  const unknown = `tuk_${'0'.repeat(24)}.${'x'.repeat(40)}`;
  for (const token of [wrong, unknown, 'nonsense', 'cfk_token'])
    assert.equal((await createHttpClient(products, token).get('')).status, 401);
  assert.equal((await sendHttp(products)).status, 401);
  for (let n = 5; n < 12; n += 1) assert.equal((await sendHttp(`${server.clientUrl}/no/${n}`)).status, 404);
  assert.equal((await sendHttp(products)).status, 429);
  const internal = `${server.internalUrl}/internal/v1/brands`;
  assert.equal((await sendHttp(internal)).status, 401);
  assert.equal((await createHttpClient(internal, 'wrong').get('')).status, 401);

  const read = await readMetrics();
  const route = '/v1/client/catalog/products';
  const requests = (method: string, status: number) =>
    read('brandport_http_requests_total', { listener: 'client', method, route, status: String(status) });
  assert.equal(requests('GET', 200), 5);
  assert.equal(requests('GET', 401), 5);
  assert.equal(requests('POST', 201), 2 + race.length - conflicts);
  assert.equal(requests('POST', 409), 1 + conflicts);
  assert.equal(requests('POST', 429), 1);
  const duration = { listener: 'client', method: 'POST', route };
  assert.equal(read('brandport_http_request_duration_seconds_count', duration), 9);
  assert.equal(read('brandport_http_request_duration_seconds_bucket', { ...duration, le: '+Inf' }), 9);
  assert.ok((read('brandport_http_request_duration_seconds_sum', duration) ?? 0) > 0);

  assert.equal(read('brandport_rate_limit_denials_total', { bucket: 'catalog_key_writes' }), 1);
  assert.equal(read('brandport_rate_limit_denials_total', { bucket: 'catalog_key_reads' }), 1);
  assert.equal(read('brandport_rate_limit_denials_total', { bucket: 'address' }), 1);
  const failures = (listener: string, reason: string) =>
    read('brandport_authentication_failures_total', { listener, reason });
  for (const reason of ['wrong_secret', 'unknown', 'malformed', 'feed_token', 'missing'])
    assert.equal(failures('client', reason), 1, reason);
  assert.equal(failures('internal', 'missing'), 1);
  assert.equal(failures('internal', 'wrong_secret'), 1);
  assert.equal(read('brandport_idempotency_total', { outcome: 'replayed' }), 1 + replays);
  assert.equal(read('brandport_idempotency_total', { outcome: 'reuse' }), 1);
  assert.equal(read('brandport_idempotency_total', { outcome: 'conflict' }) ?? 0, conflicts);
  assert.ok((read('brandport_pool_connections', { kind: 'transactions', state: 'idle' }) ?? 0) > 0);
  // The server's own work takes a connection now and then.
  await waitFor('an idle pool', async () => {
    const now = await readMetrics();
    return now('brandport_pool_connections', { kind: 'transactions', state: 'busy' }) === 0;
  });
  assert.equal(read('brandport_pool_waiting', { kind: 'writes' }), 0);
  assert.ok((read('process_resident_memory_bytes', {}) ?? 0) > 0);
});

test('the metrics name routes, never what was in a path, and no id or key', async () => {
  const { text, headers } = await sendHttp(`${server.internalUrl}/metrics`);
  assert.match(headers['content-type'] ?? '', /^text\/plain/);
  assert.doesNotMatch(text, /tuk_|\/no\/|nonsense/);
});

test('the metrics need no token, and change by being read only', async () => {
  for (const headers of [{}, { authorization: 'Bearer nonsense' }])
    assert.equal((await sendHttp(`${server.internalUrl}/metrics`, { headers })).status, 200);
  assert.equal((await sendHttp(`${server.internalUrl}/metrics`, { method: 'POST' })).status, 405);
});

/** Reads the text format: the value of a metric with exactly these labels. */
async function readMetrics() {
  const { text } = await sendHttp(`${server.internalUrl}/metrics`);
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name !== undefined) values.set(identity(name, labels.match(/\w+="[^"]*"/g) ?? []), Number(value));
  }
  return (name: string, labels: Record<string, string>) =>
    values.get(
      identity(
        name,
        Object.entries(labels).map(([label, value]) => `${label}="${value}"`),
      ),
    );
}

function identity(name: string, labels: readonly string[]): string {
  return `${name}{${labels.toSorted().join()}}`;
}
