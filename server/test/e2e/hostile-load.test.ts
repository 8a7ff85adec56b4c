// nightly: fifteen seconds of hostile bodies
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { processAdminToken, type ServerProcess, startServerProcess } from '../support/server-process.ts';

const mebibyte = 1024 * 1024;
/** Seconds of load; set it higher for a manual run. */
const seconds = Number(process.env['BRANDPORT_HOSTILE_SECONDS'] ?? 15);
/** At rest 160, the budget of bodies 256, the heap of the thread that parses large ones 176, and 48 that malloc keeps. */
const maxRssMiB = 640;
/** Each with some fifty connections. */
const hostileBrands = Number(process.env['BRANDPORT_HOSTILE_BRANDS'] ?? 4);

interface Target {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly type?: string;
  readonly coding?: string;
}

const sockets = new Set<Socket>();
let isOver = false;
let sent = 0;
after(() => {
  isOver = true;
  for (const socket of sockets) socket.destroy();
});

/** Opens a request, without its body. */
function open({ port, path, token, type = 'application/json', coding }: Target, framing: string): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  socket.resume();
  sent += 1;
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: hostile-${sent}`,
    `Content-Type: ${type}`,
    ...(coding === undefined ? [] : [`Content-Encoding: ${coding}`]),
    framing,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

const isGone = (socket: Socket) => isOver || socket.destroyed || socket.writableEnded;

/** Waits for the event or the end of the connection. */
const once = (socket: Socket, event: 'drain' | 'close') =>
  new Promise<void>((resolve) => {
    const done = () => {
      socket.off(event, done).off('close', done);
      resolve();
    };
    socket.on(event, done).on('close', done);
  });

/** Repeats `part` as fast as the server reads, for at most `bytes` bytes. */
async function pour(socket: Socket, part: Buffer, bytes: number): Promise<void> {
  for (let left = bytes; left > 0 && !isGone(socket); left -= part.length)
    if (!socket.write(part.subarray(0, left)) && !isGone(socket)) await once(socket, 'drain');
}

/** Waits until the server closed the connection, or until a limit. */
async function end(socket: Socket, limitMs: number): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), limitMs);
  if (!isGone(socket)) await once(socket, 'close');
  clearTimeout(timer);
  socket.destroy();
}

const padded = (text: string, size: number) => Buffer.concat([Buffer.from(text), Buffer.alloc(size, '{},')]);

/** Sends the complete `body` repeatedly. */
async function repeat(target: Target, body: Buffer, times = Number.POSITIVE_INFINITY): Promise<void> {
  for (let round = 0; round < times && !isOver; round += 1) {
    const socket = open(target, `Content-Length: ${body.length}\r\nConnection: close`);
    await pour(socket, body, body.length);
    await end(socket, 20_000);
  }
}

/** Begins a body of a declared length and stops before its end; repeats when the server gives up. */
async function stall(target: Target, declared: number, bytes: number): Promise<void> {
  const part = Buffer.alloc(Math.min(bytes, mebibyte), ' ');
  while (!isOver) {
    const socket = open(target, `Content-Length: ${declared}`);
    await pour(socket, part, bytes);
    await end(socket, 60_000);
  }
}

/** Sends chunks without end. */
async function stream(target: Target, part: Buffer, pauseMs: number): Promise<void> {
  const chunk = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  while (!isOver) {
    const socket = open(target, 'Transfer-Encoding: chunked');
    while (!isGone(socket)) {
      await pour(socket, chunk, chunk.length);
      await sleep(pauseMs);
    }
  }
}

/** Returns the memory of the node process from /proc, in MiB. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const figure = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: figure('VmRSS'), peak: figure('VmHWM') };
}

async function newBrand(server: ServerProcess, name: string) {
  const { json: brand } = await server.admin.post('/brands', { name });
  const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, {
    name,
    scopes: ['catalog.products:read', 'catalog.products:write', 'catalog.stock:ingest'],
  });
  return { id: brand.id as number, key: key.api_key as string };
}

/** A well-behaved client: records its responses and waits, including the request in progress at the end. */
async function behave(server: ServerProcess, key: string) {
  const client = server.clientWith(key);
  const failures: string[] = [];
  const created: string[] = [];
  let served = 0;
  let slowestMs = 0;
  while (!isOver) {
    const sku = `OK-${served}`;
    for (const request of [
      () => client.get('/catalog/products'),
      () => client.create('/catalog/products', { sku, title: 'x'.repeat(200) }),
    ]) {
      const start = performance.now();
      const answer = await Promise.race([
        request().catch((error: Error) => ({ status: 0, text: error.message })),
        untilOver(),
      ]);
      slowestMs = Math.max(slowestMs, performance.now() - start);
      if (answer === null || isOver) break;
      if (answer.status === 201) created.push(sku);
      if (answer.status >= 200 && answer.status < 300) served += 1;
      else failures.push(`${answer.status} ${answer.text.slice(0, 200)}`);
    }
    await sleep(50);
  }
  return { served, created, failures, slowestMs: Math.round(slowestMs) };
}

async function untilOver(): Promise<null> {
  while (!isOver) await sleep(50);
  return null;
}

/** Returns the SKUs of a brand from a server restarted on the same data. */
async function skusAfterRestart(dataDir: string, key: string): Promise<Set<string>> {
  const server = await startServerProcess({ env: { BRANDPORT_DATA_DIR: dataDir } });
  const client = server.clientWith(key);
  const skus = new Set<string>();
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { json } = await client.get(`/catalog/products?per_page=200&page=${page}`);
    for (const { sku } of json.data) skus.add(sku);
    last = json.meta.last_page;
  }
  return skus;
}

test('hostile bodies of every kind cost the server less than 640 MiB, others are served, it stops in time, and nothing acknowledged is lost', async (context) => {
  const unlimited = ['CATALOG_READS', 'CATALOG_WRITES', 'CATALOG_BRAND', 'ADDRESS'];
  const server = await startServerProcess({
    env: {
      ...Object.fromEntries(unlimited.map((name) => [`BRANDPORT_LIMIT_${name}`, '0'])),
      // The options of `npm start`.
      NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=1024',
      MALLOC_ARENA_MAX: '1',
      LOG_LEVEL: 'error',
    },
  });
  const [good, ...bad] = await Promise.all(
    ['good', ...Array.from({ length: hostileBrands }, (_, n) => `bad ${n}`)].map((name) =>
      newBrand(server, name),
    ),
  );
  assert.ok(good);
  const ports = {
    client: Number(new URL(server.clientUrl).port),
    internal: Number(new URL(server.internalUrl).port),
  };
  const atRest = memoryOf(server.pid);

  const feedsOf = (brand: { key: string }): Target => ({
    port: ports.client,
    path: '/v1/client/catalog/stock/feeds',
    token: brand.key,
  });
  const productsOf = (brand: { key: string }): Target => ({
    port: ports.client,
    path: '/v1/client/catalog/products',
    token: brand.key,
  });
  const eventsOf = (brand: { id: number }, type?: string): Target => ({
    port: ports.internal,
    path: `/internal/v1/brands/${brand.id}/events`,
    token: processAdminToken,
    ...(type !== undefined && { type }),
  });
  const bombs = {
    objects: padded('{"items":[', 8 * mebibyte - 100),
    lines: padded('{"source":"s","mode":"snapshot","lines":[', 32 * mebibyte - 100),
    dense: padded('{"sku":5,"pad":[', mebibyte - 100),
    denseWhole: Buffer.from(`{"sku":5,"pad":[${'{},'.repeat(340_000)}{}]}`),
    brackets: Buffer.alloc(8 * mebibyte, '['),
    spaces: gzipSync(Buffer.alloc(300 * mebibyte, ' ')),
    feed: Buffer.from(
      `{"source":"s","mode":"snapshot","lines":[${Array.from({ length: 50_000 }, (_, index) => `{"sku":"${index}${'x'.repeat(180)}","location_code":"${'y'.repeat(60)}","quantity":1,"note":"${'z'.repeat(300)}"}`)},7]}`,
    ),
  };
  const attacks: Promise<void>[] = [];
  for (const brand of bad) {
    for (let index = 0; index < 4; index += 1)
      attacks.push(stall(feedsOf(brand), 32 * mebibyte, 30 * mebibyte));
    for (let index = 0; index < 40; index += 1)
      attacks.push(stall(productsOf(brand), mebibyte, mebibyte - 1));
    for (let index = 0; index < 5; index += 1) attacks.push(repeat(productsOf(brand), bombs.denseWhole));
    attacks.push(
      repeat(eventsOf(brand), bombs.objects),
      repeat(eventsOf(brand), Buffer.concat([bombs.objects, Buffer.from('{}]}')])),
      repeat(eventsOf(brand), bombs.brackets),
      repeat(feedsOf(brand), bombs.lines),
      repeat(feedsOf(brand), bombs.feed),
      repeat({ ...feedsOf(brand), coding: 'gzip' }, bombs.spaces),
      repeat({ ...eventsOf(brand), coding: 'gzip' }, bombs.spaces),
      repeat({ ...eventsOf(brand, 'application/x-ndjson'), coding: 'gzip' }, bombs.spaces),
      stream(feedsOf(brand), Buffer.alloc(1_000, ' '), 100),
      stream(eventsOf(brand, 'application/x-ndjson'), Buffer.alloc(mebibyte, 'x'), 0),
      stream(eventsOf(brand, 'application/x-ndjson'), Buffer.alloc(mebibyte, 'x\n'), 0),
    );
  }
  const behaved = behave(server, good.key);
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000);
    const { now } = memoryOf(server.pid);
    assert.ok(now < maxRssMiB, `${Math.round(now)} MiB after ${second + 1} s`);
  }
  const { peak } = memoryOf(server.pid);
  const stopAt = performance.now();
  server.signal('SIGTERM');
  isOver = true;
  const { served, created, failures, slowestMs } = await behaved;
  const ending = await server.exit;
  const stoppedMs = Math.round(performance.now() - stopAt);
  for (const socket of sockets) socket.destroy();
  await Promise.all(attacks);
  context.diagnostic(
    `${Math.round(atRest.now)} MiB at rest, ${Math.round(peak)} MiB at most; ${sent} hostile requests; ${served} others served, the slowest in ${slowestMs} ms; stopped in ${stoppedMs} ms`,
  );
  assert.deepEqual(failures, []);
  assert.ok(served >= 10, `${served} requests served`);
  assert.ok(slowestMs < 10_000, `the slowest request waited ${slowestMs} ms`);
  assert.ok(peak < maxRssMiB, `${Math.round(peak)} MiB at most`);
  assert.deepEqual(ending, { code: 0, signal: null });
  assert.ok(stoppedMs < 10_000, `stopped after ${stoppedMs} ms`);
  const skus = await skusAfterRestart(server.dataDir, good.key);
  assert.deepEqual(
    created.filter((sku) => !skus.has(sku)),
    [],
    'nothing acknowledged is lost',
  );
});
