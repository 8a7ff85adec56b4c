// processes, alone: more large bodies than there is memory for
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { listenOn, RawConnection, type RawResponse } from '../../../../test/support/raw-connection.ts';
import { createTestApps, type TestBrand, testAdminToken } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { minBodyBudget } from '../body-rooms.ts';

const mebibyte = 1024 * 1024;
const apps = await createTestApps({ bodies: { budget: minBodyBudget, times: { roomMs: 2_000 } } });
const [one, other] = [await apps.newBrand(), await apps.newBrand()];
const ports = { client: await listenOn(apps.clientApp), internal: await listenOn(apps.internalApp) };
const { known, strangers } = apps.bodies.rooms;
const { small, growing, large, receiving } = known;
const held = () =>
  [...Object.values(known), ...Object.values(strangers)].reduce((sum, room) => sum + room.held, 0);
const feeds = '/v1/client/catalog/stock/feeds';
const products = '/v1/client/catalog/products';

let keys = 0;
function head(path: string, token: string, framing: string, type = 'application/json'): string {
  keys += 1;
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: budget-${keys}\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`;
}

// Connections are closed, not reset: Node 24 spins at its exit after the reset of a socket with a write under way.
const opened: RawConnection[] = [];
// A test that fails in the middle must not take the room of the others.
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
});

/** Begins a request and sends nothing of its body. */
function begin(brand: TestBrand, path: string, framing: string): RawConnection {
  const connection = new RawConnection(ports.client);
  connection.write(head(path, brand.apiKey, framing));
  opened.push(connection);
  return connection;
}

const isEmpty = () => waitFor('an empty budget', () => held() === 0);

function assertNoRoom(answer: RawResponse): void {
  assertRefused(answer, 'service_unavailable');
  assert.match(answer.json.message, /^This brand’s share of the memory for request bodies is full/);
  assert.equal(answer.headers['retry-after'], '5');
  assert.equal(answer.headers['connection'], 'close');
}

describe('bodies in flight', () => {
  // [platform-77]
  it('beyond a brand’s share wait at their start, and are 503 when there is no room in time', async () => {
    const first = begin(one, feeds, `Content-Length: ${30 * mebibyte}`);
    await waitFor('the first feed to have room', () => large.held === 30 * mebibyte);
    const second = begin(one, feeds, `Content-Length: ${10 * mebibyte}`);
    assertNoRoom(await second.response());
    assert.equal(large.held, 30 * mebibyte);
    assert.equal((await one.client.create('/catalog/products', { sku: 'MEANWHILE' })).status, 201);
    const third = begin(one, feeds, `Content-Length: ${10 * mebibyte}`);
    await waitFor('the third feed to wait', () => large.waiting === 1);
    first.socket.destroy();
    await waitFor('the third feed to have room', () => large.held === 10 * mebibyte);
    third.write(Buffer.alloc(10 * mebibyte, '['));
    assertRefused(await third.response(), 'validation_failed', ['body']);
    third.socket.destroy();
    await isEmpty();
  });

  it('are received 32 at a time for a brand, and those of another do not wait', async () => {
    const stalled = Array.from({ length: 60 }, () => begin(one, products, `Content-Length: ${mebibyte}`));
    await waitFor('a share to be used up', () => receiving.held === 32 && receiving.waiting === 28);
    assert.equal(large.held, 32 * mebibyte);
    const body = `{"sku": "OTHER", "title": "${' '.repeat(100_000)}"}`;
    const answer = begin(other, products, `Content-Length: ${body.length}`);
    answer.write(body);
    assertRefused(await answer.response(), 'validation_failed', ['title']);
    // A body that arrives with its headers is not received for any time.
    assert.equal((await one.client.create('/catalog/products', { sku: 'WHOLE' })).status, 201);
    for (const refused of stalled.slice(32)) assertNoRoom(await refused.response());
    for (const connection of stalled) connection.socket.destroy();
    await isEmpty();
  });

  it('of unknown length reserve more as they arrive, and their limit only beyond 2 MiB', async () => {
    const [chunked, compressed] = [
      begin(one, feeds, 'Transfer-Encoding: chunked'),
      begin(other, feeds, `Content-Encoding: gzip\r\nContent-Length: 1000`),
    ];
    const mebibyteChunk = `100000\r\n${' '.repeat(mebibyte)}\r\n`;
    await waitFor('both to have room', () => small.held === 2 * 64 * 1024);
    compressed.socket.destroy();
    await waitFor('the compressed one to be gone', () => small.held === 64 * 1024);
    chunked.write(mebibyteChunk);
    await waitFor('room for a longer one', () => growing.held === 2 * mebibyte && small.held === 0);
    chunked.write(mebibyteChunk.repeat(2));
    await waitFor('room for the longest', () => large.held === 32 * mebibyte && growing.held === 0);
    const next = begin(other, feeds, `Content-Length: ${10 * mebibyte}`);
    await waitFor('the next one to wait', () => large.waiting === 1);
    chunked.write('2\r\n[]\r\n0\r\n\r\n');
    assertRefused(await chunked.response(), 'validation_failed', ['body']);
    await waitFor('the next one to have room', () => large.held === 10 * mebibyte);
    next.socket.destroy();
    await isEmpty();
  });

  it('that come in chunks never wait for each other', async () => {
    const chunk = `100000\r\n${' '.repeat(mebibyte)}\r\n`;
    const senders = Array.from({ length: 3 }, () => begin(one, feeds, 'Transfer-Encoding: chunked'));
    const answers = senders.map(async (sender) => {
      for (let sent = 0; sent < 25 && !sender.socket.destroyed; sent += 1) sender.write(chunk);
      sender.write('2\r\n[]\r\n0\r\n\r\n');
      const answer = await sender.response();
      sender.socket.destroy();
      return answer;
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    // The first one finishes; the others may follow, or find no room in time.
    assert.ok(statuses.includes(422), statuses.join());
    for (const status of statuses) assert.ok(status === 422 || status === 503, statuses.join());
    await isEmpty();
  });

  it('that stream events count with the memory of their batches', async () => {
    const path = `/internal/v1/brands/${one.brandId}/events`;
    const streams = Array.from({ length: 20 }, () => {
      const connection = new RawConnection(ports.internal);
      connection.write(
        head(path, testAdminToken, 'Transfer-Encoding: chunked', 'application/x-ndjson').concat(
          '1\r\n\n\r\n',
        ),
      );
      return connection;
    });
    await waitFor('a share to be used up', () => large.held === 36 * mebibyte && large.waiting === 11);
    for (const stream of streams) stream.socket.destroy();
    await isEmpty();
  });

  it('release their room after any response', async () => {
    const bodies = [
      ['{"sku": "FINE"}', 201],
      ['{"sku": "FINE"}', 409],
      ['{"sku": 5}', 422],
      ['{"sku": ', 422],
      ['', 422],
    ] as const;
    for (const [body, status] of bodies) {
      const answer = await one.client.create('/catalog/products', body);
      assert.equal(answer.status, status, answer.text);
      assert.equal(held(), 0);
    }
    const unknown = '/v1/client/catalog/products/V1StGXR8_Z5jdHi6B-myT';
    const gone = await one.client.patch(unknown.slice('/v1/client'.length), { title: 'x' });
    assert.equal(gone.status, 404);
    assert.equal(held(), 0);
  });

  it('are parsed a few at a time when their values take much memory', async () => {
    const dense = `{"sku": 5, "pad": [${'{},'.repeat(300_000)}{}]}`;
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => one.client.create('/catalog/products', dense)),
    );
    for (const answer of answers) assertRefused(answer, 'validation_failed', ['sku']);
    await isEmpty();
  });
});
