// processes, alone: waits for bodies that stall
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, writtenSoFar } from '../../../test/support/assert-refused.ts';
import { exchange, listenOn, RawConnection } from '../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

// Wide enough for a busy machine.
const stallMs = 1_000;
const graceMs = 5_000;
const apps = await createTestApps({
  bodies: { times: { headersMs: 1_000, stallMs, graceMs, minBytesPerSecond: 1_000_000, lingerMs: 500 } },
});
const { apiKey, brandId, client } = await apps.newBrand();
const feedToken = (await apps.admin.post(`/brands/${brandId}/feed-tokens`, { name: 'Old' })).json.token;
const ports = { client: await listenOn(apps.clientApp), internal: await listenOn(apps.internalApp) };
const products = '/v1/client/catalog/products';

type ListenerName = keyof typeof ports;
/** Every way in which a body is read. */
const ways: Record<string, [ListenerName, string, string, string]> = {
  'a JSON body': ['client', products, apiKey, 'application/json'],
  'a JSON body of the internal surface': [
    'internal',
    '/internal/v1/brands',
    testAdminToken,
    'application/json',
  ],
  'a stock feed': ['client', '/v1/client/catalog/stock/feeds', apiKey, 'application/json'],
  'a stock feed of the legacy path': ['client', '/v1/catalog/stock/feeds', feedToken, 'application/json'],
  'a list of events': [
    'internal',
    `/internal/v1/brands/${brandId}/events`,
    testAdminToken,
    'application/json',
  ],
  'a stream of events': [
    'internal',
    `/internal/v1/brands/${brandId}/events`,
    testAdminToken,
    'application/x-ndjson',
  ],
};
const framings = { 'Content-Length: 1000': '{"sku": "HALF"', 'Transfer-Encoding: chunked': '5\r\n{"a":\r\n' };

let keys = 0;
function open([listener, path, token, type]: [ListenerName, string, string, string], framing: string) {
  const connection = new RawConnection(ports[listener]);
  keys += 1;
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: slow-${keys}\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`,
  );
  return connection;
}

describe('a body that stands still', { concurrency: true }, () => {
  // [platform-75]
  for (const [what, way] of Object.entries(ways))
    for (const [framing, begin] of Object.entries(framings))
      it(`is 408 and its connection ends: ${what}, ${framing}`, async () => {
        const connection = open(way, framing);
        connection.write(begin);
        const answer = await connection.response();
        assertRefused(answer, 'request_timeout');
        assert.equal(answer.headers['connection'], 'close');
        assert.ok(answer.headers['x-request-id']);
        await connection.closed();
      });

  it('leaves nothing behind', async () => {
    const before = await writtenSoFar(apps);
    const connection = open(ways['a JSON body'] as never, 'Content-Length: 20');
    connection.write('{"sku": "HALF"');
    assertRefused(await connection.response(), 'request_timeout');
    assert.deepEqual(await writtenSoFar(apps), before);
  });

  it('does not hold the connection of a request whose body nobody reads', async () => {
    const connection = new RawConnection(ports.client);
    connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    assert.equal((await connection.response()).status, 200);
    await connection.closed();
  });
});

describe('a body that moves', { concurrency: true }, () => {
  const body = (sku: string) => `{"sku": "${sku}"}`;

  it('may be slow', async () => {
    const bytes = body('SLOW');
    const connection = open(ways['a JSON body'] as never, `Content-Length: ${bytes.length}`);
    for (const byte of bytes) {
      connection.write(byte);
      await sleep(stallMs / 10);
    }
    assert.equal((await connection.response()).status, 201);
    connection.socket.destroy();
  });

  it('may not be slower than the least pace for ever', async () => {
    const connection = open(ways['a JSON body'] as never, 'Content-Length: 100000');
    const trickle = setInterval(() => connection.write(' '), 50);
    const answer = await connection.response();
    clearInterval(trickle);
    assertRefused(answer, 'request_timeout');
    await connection.closed();
  });

  it('is not blamed while the server itself does not read on', async () => {
    await apps.admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'ann' }] });
    const line = (id: number) =>
      `{"event_id": "paused-${id}", "occurred_at": "2026-03-01T10:00:00Z", "kind": "view", "user": "ann", "content": {"type": "episode", "tu_id": "c"}}\n`;
    const lines = Array.from({ length: 20_000 }, (_, id) => line(id)).join('');
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('lock table analytics.learning_events in access exclusive mode');
    const connection = open(ways['a stream of events'] as never, `Content-Length: ${lines.length}`);
    connection.write(lines);
    await sleep(3 * stallMs);
    await holder.query('commit');
    holder.release();
    const answer = await connection.response();
    assert.deepEqual([answer.status, answer.json.accepted], [200, 20_000]);
    connection.socket.destroy();
  });
});

describe('headers that do not come to an end', () => {
  it('are 408, whether they stand still or trickle', async () => {
    const still = new RawConnection(ports.client);
    still.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const slow = new RawConnection(ports.internal);
    slow.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const trickle = setInterval(() => slow.write('X-A: b\r\n'), 100);
    for (const connection of [still, slow]) {
      const answer = await connection.response();
      assertRefused(answer, 'request_timeout');
      assert.equal(answer.headers['connection'], 'close');
      await connection.closed();
    }
    clearInterval(trickle);
  });
});

describe('a connection', () => {
  it('is kept for the next request, errors included', async () => {
    const connection = new RawConnection(ports.client);
    for (const [path, status] of [
      ['/healthz', 200],
      ['/nothing', 404],
      [products, 401],
    ] as const) {
      connection.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`);
      const answer = await connection.response();
      assert.equal(answer.status, path === '/healthz' ? 405 : status);
      assert.notEqual(answer.headers['connection'], 'close');
    }
    connection.socket.destroy();
    assert.equal((await exchange(ports.client, { path: '/healthz' })).status, 200);
    await waitFor(
      'the requests to be served',
      async () => (await client.get('/catalog/status')).status === 200,
    );
  });
});
