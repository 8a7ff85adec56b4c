import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { takeTurn } from '../semaphore.ts';

it('gives turns in order, one in a round of the event loop at most', async () => {
  const log: string[] = [];
  const work = async (name: string, turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      await takeTurn();
      log.push(name);
    }
  };
  let rounds = 0;
  let isDone = false;
  const count = async () => {
    for (; !isDone; rounds += 1) await setImmediate();
  };
  const counting = count();
  await Promise.all([work('a', 3), work('b', 2), work('c', 3)]);
  isDone = true;
  await counting;
  assert.deepEqual(log, ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'c']);
  assert.ok(rounds >= log.length - 1, `${rounds} rounds`);
});

it('lets many connections be accepted between two turns', async () => {
  const connections = 64;
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket));
  after(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
  let turns = 0;
  for (; accepted.length < connections; turns += 1) {
    await takeTurn();
    const start = performance.now();
    while (performance.now() - start < 2);
  }
  for (const client of clients) client.destroy();
  assert.ok(turns <= connections / 4, `${turns} turns until ${connections} connections were accepted`);
});
