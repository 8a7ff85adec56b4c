import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad } from '../../../bench/src/load/measure-load.ts';
import { listeningUrl } from '../support/listening-url.ts';

const listen = (listener: RequestListener) => listeningUrl(createServer(listener));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const load = { connections: 4, seconds: 0.3, requests: [{ path: '/' }], expectedStatus: 200 };

test('a load counts each response once, regardless of the pieces in which it arrives', async () => {
  const large = 'ä'.repeat(100_000);
  let served = 0;
  const ways: RequestListener[] = [
    (_, response) => void response.end('x'),
    (_, response) => void response.end(large),
    (_, response) => void response.setHeader('content-length', '0').end(),
    (_, response) => {
      // Chunks, one of them later than the head.
      response.write('first');
      setTimeout(() => {
        response.write(large);
        response.end('last');
      }, 2);
    },
  ];
  const url = await listen((request, response) => {
    served += 1;
    ways[served % ways.length]?.(request, response);
  });
  const result = await runLoad({ ...load, url });
  assert.equal(result.answers, served);
  assert.ok(result.requestsPerSecond > 0);
  assert.ok(result.bytesPerAnswer > 1_000);
  assert.ok(result.generatorCpu > 0);
  assert.ok(result.p50 > 0 && result.p50 <= result.p99);
});

test('a load that expects 304 counts responses without a body', async () => {
  const url = await listen((_, response) => void response.writeHead(304, { etag: '"a"' }).end());
  const { answers } = await runLoad({ ...load, url, expectedStatus: 304 });
  assert.ok(answers > 0);
});

test('requests that carry a number have another one each, and the length of their body is right', async () => {
  const seen: string[] = [];
  const url = await listen(async (request, response) => {
    const { number } = JSON.parse(await bodyOf(request)) as { number: number };
    assert.equal(request.headers['idempotency-key'], `key-${number}`);
    seen.push(`${request.method} ${request.url}`);
    response.end('ok');
  });
  const { answers } = await runLoad({
    ...load,
    url,
    seconds: 1.5,
    firstNumber: 8,
    requests: [
      {
        method: 'POST',
        path: '/items/{{n}}',
        headers: { 'idempotency-key': 'key-{{n}}' },
        body: '{"number":{{n}},"name":"ä"}',
      },
    ],
  });
  assert.equal(new Set(seen).size, answers);
  assert.ok(answers > 4, 'numbers of one and of two digits');
  assert.ok(seen.includes('POST /items/8') && seen.includes('POST /items/10'));
});

test('connections send their own requests in turn', async () => {
  const seen = new Map<string, Set<number | undefined>>();
  const url = await listen((request, response) => {
    const path = request.url as string;
    seen.set(path, (seen.get(path) ?? new Set()).add(request.socket.remotePort));
    response.end('ok');
  });
  const paths = Array.from({ length: 8 }, (_, n) => ({ path: `/${n}` }));
  await runLoad({ ...load, url, seconds: 1.5, requests: paths });
  assert.equal(seen.size, 8);
  for (const ports of seen.values()) assert.equal(ports.size, 1);
});

test('an unexpected status and a closed connection fail the load', async () => {
  const failing = await listen((_, response) => void response.writeHead(503).end());
  await assert.rejects(runLoad({ ...load, url: failing }), /failed/);
  const closing = await listen((request) => void request.socket.destroy());
  await assert.rejects(runLoad({ ...load, url: closing }), /failed/);
});

test('responses after the measured time are waited for and not counted in the rate', async () => {
  let served = 0;
  const url = await listen(async (_, response) => {
    served += 1;
    if (served > 20) await sleep(1_000);
    response.end('ok');
  });
  const { answers, requestsPerSecond } = await runLoad({ ...load, url });
  assert.equal(answers, served);
  assert.ok(requestsPerSecond <= 20 / load.seconds);
});
