// processes, alone: it measures the delays of the event loop
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { it } from 'node:test';
import { sendHttp } from '../../../../test/support/http-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';

// Over real connections: the subject is the effect of a large body on the process that receives it.
const apps = await createTestApps();
const { apiKey } = await apps.newBrand();
const url = `${await apps.clientApp.listen({ port: 0, host: '127.0.0.1' })}/v1/client/catalog`;
const authorization = `Bearer ${apiKey}`;

function largeFeed(): Buffer {
  const lines = Array.from({ length: 100_000 }, (_, index) => ({
    sku: `SKU-${index}`,
    location_code: `LOCATION-${index % 10}`,
    quantity: index,
    reserved: 1,
    updated_at: '2026-03-01T08:30:00.000+01:00',
  }));
  return Buffer.from(JSON.stringify({ source: 'erp', mode: 'snapshot', lines }));
}

it('100,000 lines are accepted without delaying other requests', async (t) => {
  const body = largeFeed();
  // The largest string that this thread parses or writes meanwhile.
  let largest = 0;
  const parse = JSON.parse;
  t.mock.method(JSON, 'parse', (text: string) => {
    largest = Math.max(largest, text.length);
    return parse(text);
  });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  // The longest time that this thread itself works between two turns of the event loop; waiting for a core on a busy
  // machine does not count.
  let busiest = 0;
  let cpu = process.threadCpuUsage();
  const turns = setInterval(() => {
    const { user, system } = process.threadCpuUsage(cpu);
    busiest = Math.max(busiest, (user + system) / 1_000);
    cpu = process.threadCpuUsage();
  }, 1);
  let isDone = false;
  const sending = sendHttp(`${url}/stock/feeds`, {
    method: 'POST',
    headers: { authorization, 'idempotency-key': 'large' },
    body,
  }).finally(() => {
    isDone = true;
  });
  const waits: number[] = [];
  while (!isDone) {
    const from = performance.now();
    await ok(sendHttp(`${url}/status`, { headers: { authorization } }));
    waits.push(performance.now() - from);
  }
  delays.disable();
  clearInterval(turns);
  const answer = await sending;
  assert.deepEqual([answer.status, answer.json.received_lines], [202, 100_000]);
  const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e6);
  const p99 = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
  t.diagnostic(
    `event loop held up for at most ${ms(delays.max)} ms (p99 ${ms(delays.percentile(99))} ms), ` +
      `of which at most ${Math.round(busiest)} ms by this process; ` +
      `${waits.length} other requests meanwhile, p99 ${Math.round(p99)} ms`,
  );
  assert.ok(
    largest < 100_000,
    `a string of ${largest} characters was parsed on the thread that answers requests`,
  );
  assert.ok(busiest < 50, `the event loop was blocked for ${busiest} ms`);
  assert.ok(waits.length > 5, 'other requests were answered meanwhile');
});

it('a body over 32 MiB gets 413, which its sender can read', async () => {
  const { status, json } = await sendHttp(`${url}/stock/feeds`, {
    method: 'POST',
    headers: { authorization, 'idempotency-key': 'too-large' },
    body: Buffer.alloc(33 * 1024 * 1024, ' '),
  });
  assert.deepEqual([status, json.code], [413, 'payload_too_large']);
});

it('a sender that disconnects in the middle leaves nothing behind, and can try again', async () => {
  const body = largeFeed();
  const headers = { authorization, 'idempotency-key': 'cut-off', 'content-type': 'application/json' };
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const head = Object.entries({ host: 'test', ...headers, 'content-length': body.length });
  socket.write(
    `POST /v1/client/catalog/stock/feeds HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.length / 2));
  await once(socket, 'drain');
  socket.destroy();
  const answer = await sendHttp(`${url}/stock/feeds`, { method: 'POST', headers, body });
  assert.equal(answer.status, 202, 'the first try was not taken for a batch');
});
