import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { NoAnswerInTime, withinRunningTime } from '../redis-window-counter.ts';

function standStill(ms: number): void {
  const end = Date.now() + ms;
  while (Date.now() < end);
}

test('an answer or a failure in time is handed on as it is', async () => {
  assert.equal(await withinRunningTime(Promise.resolve(7), 1_000), 7);
  await assert.rejects(withinRunningTime(Promise.reject(new RangeError('own')), 1_000), RangeError);
});

test('an answer that never comes is given up when its time is over', async (t) => {
  const keepsAlive = setInterval(() => {}, 1_000);
  t.after(() => clearInterval(keepsAlive));
  const start = Date.now();
  await assert.rejects(withinRunningTime(new Promise(() => {}), 60), NoAnswerInTime);
  assert.ok(Date.now() - start >= 59);
});

test('an answer that arrives while the process stands still is in time', async (t) => {
  const server = createServer((socket) => socket.end('here')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address !== 'string');
  const socket = connect(address.port, '127.0.0.1');
  const answer = withinRunningTime(once(socket, 'data'), 40);
  standStill(200);
  assert.equal(String((await answer)[0]), 'here');
});
