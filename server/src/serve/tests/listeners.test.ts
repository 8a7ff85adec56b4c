import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { RawConnection } from '../../../test/support/raw-connection.ts';
import { sendRaw } from '../../../test/support/raw-http.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { trackExchanges } from '../../http/client-connections.ts';
import {
  ConnectionLimit,
  connectionLimits,
  connectionLimitsFor,
  findOpenFileLimit,
  Listeners,
} from '../listeners.ts';

const apps = await createTestApps();
const logged: string[] = [];
const listeners = new Listeners({
  limits: connectionLimits,
  metrics: apps.metrics,
  log: (level, message) => logged.push(`${level}: ${message}`),
});

it('a listener named localhost is one server, with all settings; a failed accept does not end the process', async () => {
  const address = { host: 'localhost', port: 0 };
  const url = await listeners.open('client', apps.clientApp, address, ['HOST', 'PORT']);
  assert.match(url, /^http:\/\/localhost:\d+$/);
  assert.equal(apps.clientApp.addresses().length, 1);
  for (const bytes of ['GET /healthz HTTP/1.1\r\n\r\n', 'NONSENSE\r\n\r\n'])
    assert.match(await sendRaw(url, bytes), /"code":"bad_request"/);
  apps.clientApp.server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  assert.deepEqual(logged, ['error: connection not accepted: accept EMFILE']);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  await listeners.close(1_000);
});

const healthRequest = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

async function opened() {
  const { clientApp, metrics } = await createTestApps();
  const closing = new Listeners({ limits: connectionLimits, metrics, log: () => {} });
  const url = await closing.open('client', clientApp, { host: '127.0.0.1', port: 0 }, ['HOST', 'PORT']);
  return { closing, server: clientApp.server, port: Number(new URL(url).port) };
}

it('a request that arrives on an idle connection after the stop is served, and the connection ends with it', async () => {
  const { closing, port } = await opened();
  const [used, idle] = [new RawConnection(port), new RawConnection(port)];
  for (const connection of [used, idle]) {
    connection.write(healthRequest);
    assert.equal((await connection.response()).status, 200);
  }
  const start = performance.now();
  const closed = closing.close(6_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  used.write(healthRequest);
  const answer = await used.response();
  assert.deepEqual([answer.status, answer.headers['connection']], [200, 'close']);
  await Promise.all([used.closed(), idle.closed(), closed]);
  const tookMs = performance.now() - start;
  // After the idle connections were drained, and before those that are left would have been aborted.
  assert.ok(tookMs > 900 && tookMs < 5_900, `${tookMs} ms`);
});

it('connections that the server has not accepted yet are served after the stop', async () => {
  const { closing, server, port } = await opened();
  // The system makes them at once; the server accepts one in each turn of its event loop.
  const connections = Array.from({ length: 100 }, () => new RawConnection(port));
  await once((connections.at(-1) as RawConnection).socket, 'connect');
  const closed = closing.close(6_000);
  await waitFor('the end of listening', () => !server.listening);
  for (const connection of connections) connection.write(healthRequest);
  for (const connection of connections) assert.equal((await connection.response()).status, 200);
  await closed;
});

it('a listener without connections closes at once', async () => {
  const { closing } = await opened();
  const start = performance.now();
  await closing.close(6_000);
  assert.ok(performance.now() - start < 1_000, 'without the second for idle connections');
});

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

  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    socket.resume();
    sockets.push(socket);
    await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
    return socket;
  }

  async function request(socket: Socket, path = '/'): Promise<void> {
    const waiting = held.length;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    if (path === '/') await once(socket, 'data');
    else await waitFor('the request', () => held.length > waiting);
  }

  const openOnes = () => sockets.map((socket) => !socket.closed && !socket.readableEnded).join();
  const assertOpen = async (expected: boolean[]) => {
    await waitFor(`${expected}`, () => openOnes() === expected.join());
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
    for (const one of [first, second, first]) await request(one);
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

  // [platform-76]
  it('those of an address with many make room for one another, not those of another address', async () => {
    const { open, request, assertOpen } = await listening(3);
    const other = await open('127.0.0.2');
    await request(other);
    for (let n = 0; n < 2; n += 1) await request(await open());
    await open();
    await assertOpen([true, false, true, true]);
    await open();
    // It has no request yet, and goes before one that had; that of the other address has the least recent request.
    await assertOpen([true, false, true, false, true]);
    await request(other);
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

it('the limits of connections leave room for the other files of the process', () => {
  assert.deepEqual(connectionLimitsFor(null), connectionLimits);
  assert.deepEqual(connectionLimitsFor(1_000_000), connectionLimits);
  assert.deepEqual(connectionLimitsFor(1_024), { client: 784, internal: 112 });
  assert.deepEqual(connectionLimitsFor(256), { client: 112, internal: 16 });
  assert.deepEqual(connectionLimitsFor(64), { client: 28, internal: 4 });
});

it('the limit of open files is the soft one of the process', async () => {
  const shown = execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  const limit = await findOpenFileLimit();
  if (process.platform === 'linux') assert.equal(limit, Number(shown));
  else assert.equal(limit, null);
});
