import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, counterAt, waitingForLocks } from '../../../test/support/assert-refused.ts';
import { logLines } from '../../../test/support/log-capture.ts';
import { exchange, listenOn, RawConnection, type RawResponse } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

const apps = await createTestApps();
const { apiKey, client } = await apps.newBrand();
const ports = { client: await listenOn(apps.clientApp), internal: await listenOn(apps.internalApp) };
const products = '/v1/client/catalog/products';
const host = 'Host: brandport.test\r\n';
const get = (lines: string, target = '/healthz', version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\n${lines}\r\n`;
const post = (lines: string, body: string) =>
  `POST ${products} HTTP/1.1\r\n${host}Authorization: Bearer ${apiKey}\r\nIdempotency-Key: fault\r\nContent-Type: application/json\r\n${lines}\r\n${body}`;
const chunked = '10\r\n{"sku": "FAULT"}\r\n0\r\n\r\n';

const faults: Record<string, string> = {
  'no Host': get(''),
  'two Host lines that differ': get(`${host}Host: other\r\n`),
  'two Host lines that agree': get(`${host}host: brandport.test\r\n`),
  'two Host lines in HTTP/1.0': get(`${host}${host}`, '/healthz', 'HTTP/1.0'),
  'a Host with a path': get('Host: brandport.test/healthz\r\n'),
  'a Host with a user': get('Host: user@brandport.test\r\n'),
  'a Host that is a list': get('Host: a, b\r\n'),
  'no Host on a path that does not exist': get('', '/nothing'),
  'no Host on a path that is no percent-encoding': get('', '/%zz'),
  CONNECT: `CONNECT db.internal:5432 HTTP/1.1\r\n${host}\r\n`,
  'CONNECT without Host': 'CONNECT db.internal:5432 HTTP/1.1\r\n\r\n',
  'chunks in HTTP/1.0': post('Transfer-Encoding: chunked\r\n', chunked).replace('HTTP/1.1', 'HTTP/1.0'),
  'another transfer coding': post('Transfer-Encoding: gzip\r\n', chunked),
  'another transfer coding before chunked': post('Transfer-Encoding: gzip, chunked\r\n', chunked),
  'chunked twice': post('Transfer-Encoding: chunked, chunked\r\n', chunked),
  'chunked in two lines': post('Transfer-Encoding: chunked\r\ntransfer-encoding: chunked\r\n', chunked),
  'a transfer coding that only ends like chunked': post('Transfer-Encoding: xchunked\r\n', chunked),
  'chunked with a vertical tab': post('Transfer-Encoding: \u000bchunked\r\n', chunked),
  'two lengths that agree': post('Content-Length: 16\r\nContent-Length: 16\r\n', '{"sku": "FAULT"}'),
  'a list of lengths': post('Content-Length: 16, 16\r\n', '{"sku": "FAULT"}'),
  'a length with a sign': post('Content-Length: +16\r\n', '{"sku": "FAULT"}'),
  'a length of 2^64 and more': post('Content-Length: 18446744073709551632\r\n', '{"sku": "FAULT"}'),
  'chunks and a length': post('Transfer-Encoding: chunked\r\nContent-Length: 16\r\n', chunked),
  'a space before the colon': post('Content-Length : 16\r\n', '{"sku": "FAULT"}'),
  'a folded line': get(`${host}X-A: a\r\n b\r\n`),
  'a folded transfer coding': post('Transfer-Encoding:\r\n chunked\r\n', chunked),
  'lines that end in LF alone': get(host).replaceAll('\r\n', '\n'),
  'a line that ends in CR alone': get(`Host: a\rX-A: b\r\n`),
  'chunks that end in LF alone': post('Transfer-Encoding: chunked\r\n', chunked.replaceAll('\r\n', '\n')),
  'two content types': post('Content-Type: text/plain\r\nContent-Length: 16\r\n', '{"sku": "FAULT"}'),
  '257 header lines': get(`${host}${'a:\r\n'.repeat(256)}`),
  '4,000 header lines': get(`${host}${'a:\r\n'.repeat(4_000)}`),
  'a second Authorization after 3,000 header lines': get(
    `${host}Authorization: Bearer ${apiKey}\r\n${'a:\r\n'.repeat(3_000)}Authorization: Basic eDp5\r\n`,
    products,
  ),
  'a target with a user': get(host, 'http://user:secret@brandport.test/healthz'),
  'a target of another scheme': get(host, 'ftp://brandport.test/healthz'),
  'a target with a fragment': get(host, '/healthz#part'),
  'an asterisk to another method': get(host, '*'),
  'a method in lower case': get(host).replace('GET', 'get'),
  'HTTP/0.9': 'GET /healthz\r\n\r\n',
  'HTTP/1.2': get(host, '/healthz', 'HTTP/1.2'),
  'HTTP/2 by name': get(host, '/healthz', 'HTTP/2.0'),
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the preface of HTTP/2 as a method': get(host).replace('GET', 'PRI'),
};

async function responsesTo(port: number, bytes: string): Promise<RawResponse[]> {
  const connection = new RawConnection(port);
  connection.write(Buffer.from(bytes, 'latin1'));
  return connection.responses();
}

function assertAnswered(responses: RawResponse[], status = 400): void {
  const [answer] = responses;
  assert.ok(answer && responses.length === 1, `${responses.length} answers`);
  assert.deepEqual([answer.status, answer.json.code], [status, 'bad_request']);
  assert.match(answer.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['connection'], 'close');
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  assert.ok(answer.headers['date']);
}

// [platform-72]
describe('a request that breaks the protocol', () => {
  for (const [what, bytes] of Object.entries(faults))
    it(`gets one bad_request, and the connection ends: ${what}`, async () => {
      assertAnswered(await responsesTo(ports.client, bytes));
      assert.equal((await exchange(ports.client, { path: '/healthz' })).status, 200);
    });

  it('has changed nothing', async () => {
    assert.equal((await client.get('/catalog/products?sku=FAULT')).json.meta.total, 0);
  });

  it('is answered alike on the internal listener', async () => {
    for (const what of ['no Host', 'CONNECT', 'HTTP/0.9', 'chunks in HTTP/1.0', 'a method in lower case'])
      assertAnswered(await responsesTo(ports.internal, faults[what] as string));
  });

  it('keeps the id that it carries, where that can be read', async () => {
    for (const bytes of [
      get('X-Request-Id: mine-1\r\n'),
      `CONNECT a:1 HTTP/1.1\r\nX-Request-Id: mine-1\r\n\r\n`,
    ])
      assert.equal((await responsesTo(ports.client, bytes))[0]?.headers['x-request-id'], 'mine-1');
  });

  it('is in the log and the metrics, without what was sent', async () => {
    const counted = () =>
      counterAt(apps.metrics, 'brandport_http_requests_total', { route: '(unreadable)', status: 400 });
    const before = await counted();
    logLines.take();
    const [garbage] = await responsesTo(ports.client, 'GARBAGE-canary-3d9f /x HTTP/1.1\r\n\r\n');
    await responsesTo(ports.internal, 'CONNECT connect-canary-77a1:1 HTTP/1.1\r\n\r\n');
    const lines = logLines.take();
    const records = lines.filter((line) => line.includes('"(unreadable)"')).map((line) => JSON.parse(line));
    assert.deepEqual(
      records.map(({ method, status, reason, msg }) => [method, status, reason, msg]),
      [
        ['(unreadable)', 400, 'HPE_INVALID_METHOD', 'request'],
        ['CONNECT', 400, 'CONNECT', 'request'],
      ],
    );
    assert.equal(records[0].reqId, garbage?.headers['x-request-id']);
    assert.doesNotMatch(lines.join(''), /canary-(3d9f|77a1)/);
    assert.equal(await counted(), before + 2);
  });
});

describe('Expect', () => {
  // [platform-73]
  it('is 417 where it names anything but 100-continue', async () => {
    for (const value of ['tea', '100-continue, tea', '100-continue=1', 'x100-continue'])
      assertAnswered(await responsesTo(ports.client, get(`${host}Expect: ${value}\r\n`)), 417);
    assertAnswered(
      await responsesTo(ports.client, get(`${host}Expect: 100-continue\r\nExpect: tea\r\n`)),
      417,
    );
  });

  it('is ignored in HTTP/1.0', async () => {
    const [answer] = await responsesTo(ports.client, get('Expect: tea\r\n', '/healthz', 'HTTP/1.0'));
    assert.equal(answer?.status, 200);
  });

  it('is answered 100 once the key is known, and then the connection continues', async () => {
    const connection = new RawConnection(ports.client);
    connection.write(post('Content-Length: 17\r\nExpect: 100-Continue\r\n', '').replace('fault', 'expect'));
    assert.equal((await connection.interim()).status, 100);
    connection.write('{"sku": "EXPECT"}');
    const created = await connection.response();
    assert.deepEqual([created.status, created.headers['connection']], [201, 'keep-alive']);
    connection.socket.destroy();
  });

  it('of a request that is refused is not answered 100, and the connection ends', async () => {
    const bytes = `POST ${products} HTTP/1.1\r\n${host}Content-Length: 17\r\nExpect: 100-continue\r\n\r\n`;
    const responses = await responsesTo(ports.client, bytes);
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers['connection']]),
      [[401, 'close']],
    );
  });
});

describe('what looks odd and is valid', () => {
  it('is served: HTTP/1.0 without Host, an empty Host, an IPv6 Host, empty lines first, CHUNKED', async () => {
    const ended = `${host}Connection: close\r\n`;
    for (const bytes of [
      get('', '/healthz', 'HTTP/1.0'),
      get('Host:\r\nConnection: close\r\n'),
      get('Host: [::1]:8080\r\nConnection: close\r\n'),
      `\r\n\r\n${get(ended)}`,
      `${get(`${ended}Transfer-Encoding: CHUNKED\r\n`)}0\r\n\r\n`,
      get(`${ended}${'a:\r\n'.repeat(250)}`),
    ])
      assert.deepEqual(
        (await responsesTo(ports.client, bytes)).map(({ status }) => status),
        [200],
      );
  });

  it('is the same request with a whole URL as its target, to a replay too', async () => {
    const headers = [
      ['Authorization', `Bearer ${apiKey}`],
      ['Idempotency-Key', 'absolute'],
      ['Content-Type', 'application/json'],
    ] as const;
    const create = (path: string) =>
      exchange(ports.client, { method: 'POST', path, headers, body: '{"sku": "ABSOLUTE"}' });
    const first = await create(products);
    const second = await create(`http://elsewhere.test:81${products}`);
    assert.deepEqual([first.status, second.status, second.text], [201, 201, first.text]);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assertRefused(await exchange(ports.client, { path: 'http://brandport.test' }), 'not_found');
  });

  it('is an upgrade, which is ignored; the connection ends, since what follows in the packet is lost', async () => {
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    for (const lines of [upgrade, 'Connection: upgrade\r\nUpgrade: websocket\r\n']) {
      const responses = await responsesTo(ports.client, get(host + lines) + get(host));
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200],
      );
      assert.equal(responses[0]?.headers['connection'], 'close');
    }
  });
});

describe('on one connection', () => {
  it('what cannot be read is answered after the requests before it, which are served', async () => {
    const holder = await apps.database.pool.connect();
    const { brand_id: brandId } = (await client.get('/catalog/status')).json;
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
    const slow = post('Content-Length: 15\r\n', '{"sku": "SLOW"}').replace('fault', 'slow');
    const connection = new RawConnection(ports.client);
    connection.write(`${slow}${get(host)}NONSENSE\r\n\r\n`);
    await waitFor('the write to wait for its lock', () => waitingForLocks(apps));
    await holder.query('commit');
    holder.release();
    const responses = await connection.responses();
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 200, 400],
    );
  });

  it('CONNECT is answered after the requests before it', async () => {
    const responses = await responsesTo(ports.client, get(host) + faults['CONNECT']);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 400],
    );
  });

  it('a request is answered once when the rest of its body breaks after the answer', async () => {
    const bytes = `POST /nothing HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;
    const connection = new RawConnection(ports.client);
    connection.write(bytes);
    assertRefused(await connection.response(), 'not_found');
    connection.write('zz\r\n');
    assert.deepEqual(await connection.responses(), []);
  });

  it('a body that breaks is answered once, by the request that it belongs to', async () => {
    const { brand_id: brandId } = (await client.get('/catalog/status')).json;
    const admin = 'Authorization: Bearer admin-token-canary-5f1d\r\n';
    const broken = '5\r\n{"sku\r\nzz\r\n';
    for (const [port, head] of [
      [ports.client, post('Transfer-Encoding: chunked\r\n', '')],
      [
        ports.client,
        post('Transfer-Encoding: chunked\r\n', '').replace(products, '/v1/client/catalog/stock/feeds'),
      ],
      [
        ports.internal,
        `POST /internal/v1/brands/${brandId}/events HTTP/1.1\r\n${host}${admin}Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ],
    ] as const) {
      const inOne = await responsesTo(port, head + broken);
      assertAnswered(inOne);
      const connection = new RawConnection(port);
      connection.write(head);
      await client.get('/catalog/status');
      connection.write(broken);
      assertAnswered(await connection.responses());
    }
  });
});
