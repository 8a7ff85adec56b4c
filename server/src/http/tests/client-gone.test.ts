// processes: waits for clients that disconnect, in 4 seconds
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertRefused, counterAt, waitingForLocks } from '../../../test/support/assert-refused.ts';
import { sendHttp } from '../../../test/support/http-client.ts';
import { listenOn, RawConnection } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { lockCatalog } from '../../catalog/brand-catalog-store.ts';
import type { Semaphore } from '../../lib/semaphore.ts';
import { minBodyBudget } from '../bodies/body-rooms.ts';

const mebibyte = 1024 * 1024;
const roomMs = 1_500;
const apps = await createTestApps({ bodies: { budget: minBodyBudget, times: { roomMs } } });
const { apiKey, brandId, client } = await apps.newBrand();
const port = await listenOn(apps.clientApp);
const { large, parsed } = apps.bodies.rooms.known;
const feeds = '/v1/client/catalog/stock/feeds';
const products = '/v1/client/catalog/products';
const open: RawConnection[] = [];
after(() => {
  for (const { socket } of open) socket.destroy();
});

let keys = 0;
const headersOf = (more: Record<string, string> = {}) => {
  keys += 1;
  return {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': `present-${keys}`,
    ...more,
  };
};
const post = (path: string, body: string | Buffer, more?: Record<string, string>) =>
  sendHttp(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers: headersOf(more) });
/** A product of more than 64 KiB, which takes memory of the rooms for large bodies. */
const productOf = (sku: string) => `{"sku": "${sku}", "pad": "${'x'.repeat(200_000)}"}`;

/** Takes bytes of a room for other owners. Returns what releases them. */
async function take(room: Semaphore, ...bytes: number[]): Promise<() => void> {
  const taken = await Promise.all(bytes.map((count, n) => room.take(`other-${n}`, count, { limitMs: 0 })));
  return () => {
    for (const reservation of taken) reservation.release();
  };
}

function begin(path: string, body: string): RawConnection {
  const connection = new RawConnection(port);
  open.push(connection);
  const headers = Object.entries(headersOf({ host: 'x', 'content-length': String(Buffer.byteLength(body)) }));
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  connection.write(`POST ${path} HTTP/1.1\r\n${lines}\r\n${body}`);
  return connection;
}

// [platform-77]
describe('a client that waits for its response is not taken for one that has disconnected', () => {
  it('when memory for parsing stays short after its body was read', async () => {
    const release = await take(parsed, 22 * mebibyte, 2 * mebibyte);
    const answer = await post(products, productOf('PARSED')).finally(release);
    assertRefused(answer, 'service_unavailable');
    assert.equal(answer.headers['retry-after'], '5');
  });

  it('when a compressed body finds no room for what it may decode to', async () => {
    const release = await take(large, 20 * mebibyte);
    const answer = await post(feeds, gzipSync(Buffer.alloc(30 * mebibyte, ' ')), {
      'content-encoding': 'gzip',
    }).finally(release);
    assertRefused(answer, 'service_unavailable');
    assert.equal(answer.headers['retry-after'], '5');
  });

  it('when its body waits to be read', async () => {
    const release = await take(large, 36 * mebibyte, 4 * mebibyte);
    const answer = post(products, productOf('UNREAD'));
    await waitFor('the body to wait', () => large.waiting === 1);
    release();
    assert.equal((await answer).status, 201);
  });

  it('when its body waits to be parsed, and then is', async () => {
    const release = await take(parsed, 22 * mebibyte, 2 * mebibyte);
    const answer = post(products, productOf('LATE'));
    await waitFor('the body to wait', () => parsed.waiting === 1);
    release();
    assert.equal((await answer).status, 201);
  });

  for (const isKeyed of [false, true])
    it(`when its write waits for a turn, ${isKeyed ? 'with' : 'without'} an Idempotency-Key`, async () => {
      const { json } = await client.create('/catalog/products', { sku: `TURN-${isKeyed}` });
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const lock = apps.database.transaction(async (tx) => {
        await lockCatalog(tx, brandId);
        begun.resolve();
        await held.promise;
      });
      await begun.promise;
      const answers = Array.from({ length: 4 }, (_, n) =>
        sendHttp(`http://127.0.0.1:${port}${products}/${json.tu_id}`, {
          method: 'PATCH',
          body: { title: `Title ${n}` },
          headers: {
            authorization: `Bearer ${apiKey}`,
            ...(isKeyed && { 'idempotency-key': `turn-${n}` }),
          },
        }),
      );
      await waitFor('the writes to wait', () => waitingForLocks(apps)).finally(held.resolve);
      await lock;
      for (const { status, text } of await Promise.all(answers)) assert.equal(status, 200, text);
    });

  it('in log and metrics, also with several requests on its connection', async () => {
    const gone = () =>
      counterAt(apps.metrics, 'brandport_http_requests_total', { route: products, status: 499 });
    const before = await gone();
    const connection = new RawConnection(port);
    open.push(connection);
    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
    connection.write(`GET ${products} ${head}HEAD ${products} ${head}GET ${products} ${head}`);
    for (const isHead of [false, true, false])
      assert.equal((await connection.response({ head: isHead })).status, 200);
    assert.equal(await gone(), before);
  });
});

it('a client that disconnects while its body waits to be parsed leaves the line at once', async () => {
  const release = await take(parsed, 22 * mebibyte, 2 * mebibyte);
  const connection = begin(products, productOf('GONE'));
  await waitFor('the body to wait', () => parsed.waiting === 1);
  connection.socket.destroy();
  const start = performance.now();
  await waitFor('the line to be empty', () => parsed.waiting === 0);
  const waitedMs = performance.now() - start;
  release();
  assert.ok(waitedMs < roomMs / 2, `${waitedMs} ms`);
});

it('only one file asks the streams of Node for it', async () => {
  const sources = new URL('../', import.meta.url).pathname;
  const asking: string[] = [];
  for await (const path of glob('**/*.ts', { cwd: sources }))
    if (
      !path.includes('tests/') &&
      /\b(destroyed|writableFinished|readableAborted)\b/.test(await readFile(sources + path, 'utf8'))
    )
      asking.push(path);
  assert.deepEqual(asking, ['client-connections.ts']);
});
