import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { trackExchanges } from '../../http/connections.ts';
import { ConnectionLimit } from '../listeners.ts';

/** A server that answers `/` at once and everything else when the test says so. */
async function listening(limit: number) {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/') response.end('now');
    else held.push(response);
  });
  trackExchanges(server);
  let displaced = 0;
  const connections = new ConnectionLimit(server, limit, () => {
    displaced += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    server.closeAllConnections();
  });

  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    sockets.push(socket);
    const accepted = once(server, 'connection');
    await once(socket, 'connect');
    await accepted;
    return socket;
  }

  async function request(socket: Socket, path = '/'): Promise<void> {
    const waiting = held.length;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    if (path === '/') await once(socket, 'data');
    else await waitFor('the request', () => held.length > waiting);
  }

  const openOnes = () => sockets.map((socket) => !socket.closed && !socket.readableEnded);
  const assertOpen = async (expected: boolean[]) => {
    await waitFor(`${expected}`, () => openOnes().join() === expected.join());
    assert.equal(connections.count, expected.filter(Boolean).length);
  };
  return { open, request, assertOpen, held, displaced: () => displaced };
}

describe('beyond the limit of connections', () => {
  it('the oldest without any request makes room, though it sends the beginning of one', async () => {
    const { open, request, assertOpen, displaced } = await listening(3);
    await request(await open());
    const second = await open();
    second.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await open();
    await assertOpen([true, true, true]);
    await open();
    await assertOpen([true, false, true, true]);
    await open();
    await assertOpen([true, false, false, true, true]);
    assert.equal(displaced(), 2);
  });

  it('without such a one, the one whose last request is longest ago does', async () => {
    const { open, request, assertOpen } = await listening(2);
    const [first, second] = [await open(), await open()];
    await request(first);
    await request(second);
    await request(first);
    const third = await open();
    await assertOpen([true, false, true]);
    await request(third);
    await request(first);
    await open();
    await assertOpen([true, false, false, true]);
  });

  it('one that waits for its response stays, and if all do the new one goes', async () => {
    const { open, request, assertOpen, held } = await listening(2);
    for (let i = 0; i < 2; i += 1) await request(await open(), '/slow');
    await open();
    await assertOpen([true, true, false]);
    held[1]?.end('at last');
    await waitFor('the response', () => held[1]?.writableFinished === true);
    await open();
    await assertOpen([true, false, false, true]);
  });

  it('thousands of silent ones never keep another out', async () => {
    const { open, request, displaced } = await listening(50);
    const keptAlive = await open();
    await request(keptAlive);
    for (let i = 0; i < 1_000; i += 1) await open();
    await request(keptAlive);
    await request(await open());
    assert.equal(displaced(), 952);
  });
});
