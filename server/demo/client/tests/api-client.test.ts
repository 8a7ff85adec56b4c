import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { DemoError } from '../../demo-error.ts';
import { ApiClient, type Traffic } from '../api-client.ts';

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
  const client = new ApiClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'tuk_0.secret',
    traffic,
    signal: ending.signal,
    onWait: (ms) => waits.push(ms),
  });
  return { client, seen, traffic, ending, waits };
}

const nothingLeft = (seconds: number) => ({
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + seconds),
});

test('a creation that is limited or whose response is lost is sent again with the same key and bytes', async () => {
  const { client, seen, traffic } = await scripted(
    hangUp,
    hangUpMidway,
    reply(503, { 'retry-after': '0' }),
    reply(409, {}, { code: 'idempotency_conflict' }),
    reply(429, { 'retry-after': '1' }),
    reply(201, {}, { sku: 'A' }),
  );
  const answer = await client.post('/products', { sku: 'A', title: 'Ü' }, 'key-1');
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.json, { sku: 'A' });
  assert.equal(seen.length, 6);
  for (const { key, body } of seen) assert.deepEqual([key, body], ['key-1', '{"sku":"A","title":"Ü"}']);
  assert.ok((seen[5] as Seen).at - (seen[4] as Seen).at >= 990, 'waited for Retry-After');
  assert.deepEqual(traffic, { requests: 6, refused: 1, repeated: 4 });
});

test('a write without a key is sent again after a refusal, but not after a failure', async () => {
  const lost = await scripted(hangUp, reply(201));
  await assert.rejects(lost.client.post('/brands', {}), DemoError);
  assert.equal(lost.seen.length, 1);

  const unavailable = await scripted(reply(503), reply(201));
  assert.equal((await unavailable.client.post('/brands', {})).status, 503);
  assert.equal(unavailable.seen.length, 1);

  const refused = await scripted(reply(429, { 'retry-after': '0' }), reply(201));
  assert.equal((await refused.client.post('/brands', {})).status, 201);
});

test('other errors are returned', async () => {
  const { client, seen } = await scripted(reply(422, {}, { code: 'validation_failed' }), reply(500));
  assert.equal((await client.post('/products', {}, 'k')).status, 422);
  assert.equal((await client.get('/products')).status, 500);
  assert.equal(seen.length, 2);
});

test('when nothing is left, writes wait for the reset and reads continue', async () => {
  const { client, seen, waits } = await scripted(reply(201, nothingLeft(2)), reply(200), reply(201));
  await client.post('/products', {}, 'a');
  await client.get('/products');
  assert.deepEqual(waits, []);
  await client.post('/products', {}, 'b');
  assert.equal(waits.length, 1);
  const [first, read, second] = seen as [Seen, Seen, Seen];
  assert.ok(read.at - first.at < 900, 'the read did not wait');
  assert.ok(second.at - first.at >= 990, `the write came after ${second.at - first.at} ms`);
});

test('a request is not repeated forever', async () => {
  const { client, seen } = await scripted(reply(429, { 'retry-after': '0' }));
  await assert.rejects(client.get('/products'), /refused 31 times/);
  assert.equal(seen.length, 31);
});

test('an absurdly long Retry-After is not waited for', async () => {
  const { client } = await scripted(reply(429, { 'retry-after': '86400' }));
  await assert.rejects(client.get('/products'), /asks to wait for 86400 s/);
});

test('a wait and a request are aborted at once with the given reason', async () => {
  const reason = new DemoError('enough');
  const waiting = await scripted(reply(429, { 'retry-after': '60' }));
  const wait = assert.rejects(waiting.client.get('/products'), (error) => error === reason);
  while (waiting.waits.length === 0) await new Promise((resolve) => setImmediate(resolve));
  waiting.ending.abort(reason);
  await wait;

  const silent = await scripted(() => silent.ending.abort(reason));
  await assert.rejects(silent.client.get('/products'), (error) => error === reason);
});
