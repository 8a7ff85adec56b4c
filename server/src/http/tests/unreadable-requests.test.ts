import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assertRefused,
  counterAt,
  waitingForLocks,
  writtenSoFar,
} from '../../../test/support/assert-refused.ts';
import { logLines } from '../../../test/support/log-capture.ts';
import { exchange, listenOn, RawConnection } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

const apps = await createTestApps();
const { apiKey, client } = await apps.newBrand();
const port = await listenOn(apps.clientApp);
const products = '/v1/client/catalog/products';
const head = (lines: string) =>
  `POST ${products} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\n${lines}\r\n`;

describe('what is no HTTP', () => {
  const garbage: Record<string, string | Uint8Array> = {
    'a line without sense': 'FOO BAR\r\n\r\n',
    'a path without a slash': 'GET products HTTP/1.1\r\nHost: x\r\n\r\n',
    'another protocol': 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    'the greeting of TLS': Buffer.from('16030100c8010000c40303', 'hex'),
    'a header without a colon': 'GET /healthz HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
    'a header with a control character': 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n',
    'a header with a space in its name': 'GET /healthz HTTP/1.1\r\nHost: x\r\nX A: b\r\n\r\n',
    'a length that is no number': head('Content-Length: abc\r\n'),
    'a negative length': head('Content-Length: -1\r\n'),
    'two lengths': head('Content-Length: 2\r\nContent-Length: 3\r\n'),
    'a length and chunks': head('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'),
    'a chunk without a length': `${head('Transfer-Encoding: chunked\r\n')}zz\r\n{}\r\n`,
    'headers of over 16 KiB': `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
    'a path of over 16 KiB': `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'a query of over 16 KiB': `GET ${products}?sku=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  };

  for (const [what, bytes] of Object.entries(garbage))
    it(`gets an envelope that says so, and the connection ends: ${what}`, async () => {
      const connection = new RawConnection(port);
      connection.write(bytes);
      const answer = await connection.response();
      assertRefused(answer, 'bad_request');
      assert.match(answer.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['connection'], 'close');
      connection.socket.end();
      await connection.closed();
    });

  it('says so when it is only too long', async () => {
    const connection = new RawConnection(port);
    connection.write(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match((await connection.response()).json.message, /16 KiB/);
    connection.socket.destroy();
  });

  it('leaves the server as it was', async () => {
    assert.equal((await exchange(port, { path: '/healthz' })).status, 200);
    assert.equal((await client.get('/catalog/products')).json.meta.total, 0);
  });
});

describe('a client that goes away', () => {
  const requestLine = () =>
    waitFor('the log line of the request', () => {
      const line = logLines
        .take()
        .find((text) => text.includes('"msg":"request"') && text.includes('"POST"'));
      return line === undefined ? null : JSON.parse(line);
    });

  it('in the middle of a body leaves nothing behind, and is not taken for a failure of the database', async () => {
    const gone = () =>
      counterAt(apps.metrics, 'brandport_http_requests_total', { route: products, status: 499 });
    const goneBefore = await gone();
    logLines.take();
    const before = await writtenSoFar(apps);
    const connection = new RawConnection(port);
    connection.write(`${head('Content-Length: 100\r\nExpect: 100-continue\r\n')}{"sku": "HALF"`);
    await waitFor('the request to have arrived', () => connection.socket.bytesRead > 0);
    // Its key is looked up on the same connection, so that the lookup of the other request is done after this one.
    await client.get('/catalog/status');
    connection.socket.resetAndDestroy();
    const line = await requestLine();
    assert.deepEqual([line.status, line.route, line.level], [499, products, 30]);
    assert.deepEqual(await writtenSoFar(apps), before);
    assert.equal(await gone(), goneBefore + 1);
  });

  it('before the answer to its write can ask again, and finds it done', async () => {
    const holder = await apps.database.pool.connect();
    const { brand_id: brandId } = (await client.get('/catalog/status')).json;
    await client.create('/catalog/products', { sku: 'BEFORE' });
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
    const body = '{"sku": "GONE"}';
    const connection = new RawConnection(port);
    connection.write(`${head(`Content-Length: ${body.length}\r\n`)}${body}`);
    await waitFor('the write to wait for its lock', () => waitingForLocks(apps));
    logLines.take();
    connection.socket.resetAndDestroy();
    assert.equal((await requestLine()).status, 499);
    await holder.query('commit');
    holder.release();
    const again = await waitFor('the write to be done', async () => {
      const answer = await client.post('/catalog/products', body, { 'idempotency-key': 'k' });
      return answer.status === 201 ? answer : null;
    });
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal((await client.get('/catalog/products?sku=GONE')).json.meta.total, 1);
  });
});
