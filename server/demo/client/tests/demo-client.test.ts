import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Brandport } from '../../../../client/src/index.ts';
import { DemoError } from '../../demo-error.ts';
import { DemoClient, type Traffic } from '../demo-client.ts';

interface Seen {
  readonly method: string;
  readonly key: string | undefined;
  readonly body: string;
  readonly at: number;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const reply =
  (status: number, headers: Record<string, string> = {}, body: object = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const hangUp: Answer = (response) => response.destroy();
const hangUpMidway: Answer = (response) => {
  response.writeHead(201, { 'content-length': '100' });
  response.write('{"half":', () => response.destroy());
};

/** Starts a server that sends the n-th response to the n-th request, and the last one to all further requests. */
async function scripted(...answers: Answer[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const key = request.headers['idempotency-key'] as string | undefined;
    seen.push({ method: request.method as string, key, body, at: performance.now() });
    (answers[seen.length - 1] ?? (answers.at(-1) as Answer))(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const traffic: Traffic = { requests: 0, refused: 0, repeated: 0 };
  const ending = new AbortController();
  const waits: number[] = [];
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new DemoClient({
    create: (options) => new Brandport({ ...options, baseUrl, apiKey: 'tuk_0.secret' }),
    traffic,
    signal: ending.signal,
    onWait: (ms) => waits.push(ms),
  });
  const create = (idempotencyKey: string) =>
    client.send((api, call) =>
      api.catalog.products.create({ sku: 'A', title: 'Ü' }, { ...call, idempotencyKey }),
    );
  const list = () => client.send((api, call) => api.catalog.products.list({}, call).first());
  return { client, create, list, seen, traffic, ending, waits };
}

const nothingLeft = (seconds: number) => ({
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + seconds),
});

test('a creation that is limited or whose response is lost is sent again with the same key and bytes', async () => {
  const { create, seen, traffic, waits } = await scripted(
    hangUp,
    hangUpMidway,
    reply(503, { 'retry-after': '0' }),
    reply(409, { 'retry-after': '0' }, { code: 'idempotency_conflict', message: 'It is running.' }),
    reply(429, { 'retry-after': '1' }, { code: 'rate_limited', message: 'Too many requests.' }),
    reply(201, {}, { sku: 'A' }),
  );
  const answer = await create('key-1');
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.json, { sku: 'A' });
  assert.equal(seen.length, 6);
  for (const { key, body } of seen) assert.deepEqual([key, body], ['key-1', '{"sku":"A","title":"Ü"}']);
  assert.ok((seen[5] as Seen).at - (seen[4] as Seen).at >= 990, 'waited for Retry-After');
  assert.deepEqual(traffic, { requests: 6, refused: 1, repeated: 4 });
  assert.equal(waits.length, 5);
});

test('a response is returned with its status, headers and bytes, even if the SDK rejects it', async () => {
  const text = '{ "code":"validation_failed",  "message":"No.","n":1.50 }';
  const { create, list, seen } = await scripted(
    (response) => response.writeHead(422, { 'idempotency-replayed': 'true' }).end(text),
    (response) => response.writeHead(404).end('not JSON \u00fc'),
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  );
  const refused = await create('k');
  assert.deepEqual([refused.status, refused.bytes.toString()], [422, text]);
  assert.equal(refused.headers.get('idempotency-replayed'), 'true');
  const missing = await list();
  assert.deepEqual(
    [missing.status, missing.bytes.toString(), missing.json],
    [404, 'not JSON \u00fc', undefined],
  );
  const page = await list();
  assert.deepEqual([page.status, page.bytes.toString()], [200, '<p>']);
  assert.equal(seen.length, 3);
});

test('calls of one client at the same time each return their own response', async () => {
  const { client } = await scripted((response, request) => {
    const tuId = request.url?.split('/').at(-1);
    setTimeout(() => response.writeHead(200).end(JSON.stringify({ tu_id: tuId })), tuId === 'p0' ? 50 : 0);
  });
  const ids = Array.from({ length: 8 }, (_, index) => `p${index}`);
  const answers = await Promise.all(
    ids.map((id) => client.send((api, call) => api.catalog.products.get(id, call))),
  );
  assert.deepEqual(
    answers.map(({ json }) => json.tu_id),
    ids,
  );
});

test('an iteration that the server refuses fails with its response', async () => {
  const { client } = await scripted(
    reply(200, {}, { data: [{ sku: 'A' }], meta: { last_page: 2 } }),
    reply(403, {}, { code: 'insufficient_scope', message: 'No.' }),
  );
  const skus: unknown[] = [];
  const read = async () => {
    for await (const { sku } of client.iterate('GET /products', (api, call) =>
      api.catalog.products.list({}, call),
    ))
      skus.push(sku);
  };
  await assert.rejects(
    read(),
    (error) => error instanceof DemoError && /GET \/products: answered 403 .*scope/.test(error.message),
  );
  assert.deepEqual(skus, ['A']);
});

test('when nothing is left, writes wait for the reset and reads continue', async () => {
  const { create, list, seen, waits } = await scripted(
    reply(201, nothingLeft(2)),
    reply(200, {}, { data: [], meta: {} }),
    reply(201),
  );
  await create('a');
  await list();
  assert.deepEqual(waits, []);
  await create('b');
  assert.equal(waits.length, 1);
  const [first, read, second] = seen as [Seen, Seen, Seen];
  assert.ok(read.at - first.at < 900, 'the read did not wait');
  assert.ok(second.at - first.at >= 990, `the write came after ${second.at - first.at} ms`);
});

test('a request is not repeated forever', async () => {
  const { list, seen } = await scripted(
    reply(429, { 'retry-after': '0' }, { code: 'rate_limited', message: 'Too many requests.' }),
  );
  await assert.rejects(
    list(),
    (error) => error instanceof DemoError && /refused 11 times/.test(error.message),
  );
  assert.equal(seen.length, 11);
});

test('an absurdly long Retry-After is not waited for', async () => {
  const { list } = await scripted(reply(429, { 'retry-after': '86400' }));
  await assert.rejects(list(), (error) => error instanceof DemoError && /no answer/.test(error.message));
});

test('a wait and a request are aborted at once with the given reason', async () => {
  const reason = new DemoError('enough');
  const waiting = await scripted(reply(429, { 'retry-after': '60' }));
  const wait = assert.rejects(waiting.list(), (error) => error === reason);
  while (waiting.waits.length === 0) await new Promise((resolve) => setImmediate(resolve));
  waiting.ending.abort(reason);
  await wait;

  const silent = await scripted(() => silent.ending.abort(reason));
  await assert.rejects(silent.list(), (error) => error === reason);
});
