import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { startHaproxy } from '../support/haproxy-server.ts';
import { createHttpClient, sendHttp } from '../support/http-client.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { seedBrand } from '../support/seed.ts';
import { logLinesOf } from '../support/server-output.ts';
import { makeDataDir, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { waitFor } from '../support/wait-for.ts';

const haproxy = findSystemProgram('haproxy', 'haproxy');
const mebibyte = 1024 * 1024;

/** Mounts a disk of 256 MiB. */
async function makeSmallDisk(): Promise<string> {
  const dir = join(await makeDataDir(), 'disk');
  mkdirSync(dir);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=0755', 'brandport-test', dir]);
  return dir;
}

/** Writes a file until the disk is full. */
function fill(file: string): void {
  writeFileSync(file, '');
  for (let size = 8 * mebibyte; size >= 1; size = Math.floor(size / 2))
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
}

// [platform-21]
test('a full disk refuses writes with its own code, reads continue, and writes recover once there is space', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may mount a small disk');
  const disk = await makeSmallDisk();
  try {
    await fillAndRecover(disk);
  } finally {
    execFileSync('umount', [disk]);
  }
});

async function fillAndRecover(disk: string): Promise<void> {
  const ballast = join(disk, 'ballast');
  const server = await startServerProcess({
    env: { ...unlimitedCatalog, BRANDPORT_DATA_DIR: join(disk, 'data') },
  });
  try {
    await check(server, ballast);
  } finally {
    rmSync(ballast, { force: true });
    assert.equal((await server.stop()).code, 0);
  }
}

const startBehind = ({ clientUrl }: ServerProcess) =>
  startHaproxy(haproxy ?? '', [Number(new URL(clientUrl).port)]);

async function check(server: ServerProcess, ballast: string): Promise<void> {
  const { client, apiKey } = await seedBrand(server);
  const readyz = async () => {
    const { status, json } = await sendHttp(`${server.clientUrl}/readyz`);
    return [status, json.status];
  };
  const acknowledged: string[] = [];
  const create = async (n: number, to = client) => {
    const response = await to.create('/catalog/products', {
      sku: `SKU-${n}`,
      short_description: 'x'.repeat(1_000),
    });
    if (response.status === 201) acknowledged.push(`SKU-${n}`);
    return response;
  };
  assert.equal((await create(0)).status, 201);
  const proxied =
    haproxy === null ? null : createHttpClient(`${await startBehind(server)}/v1/client`, apiKey);

  fill(ballast);

  let n = 1;
  const refused = await waitFor('a write to be refused', async () => {
    n += 1;
    const answer = await create(n);
    return answer.status === 201 ? null : answer;
  });
  assert.equal(refused.status, 503, refused.text);
  assert.equal(refused.json.code, 'service_unavailable');
  assert.match(refused.json.message, /disk .* full/);
  assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.deepEqual(await readyz(), [503, 'database_disk_full']);
  assert.equal((await client.get('/catalog/products')).status, 200);
  if (proxied !== null) {
    // HAProxy counts a process as down after three checks, one every 2 s.
    const until = performance.now() + 8_000;
    while (performance.now() < until) assert.equal((await proxied.get('/catalog/products')).status, 200);
    const answer = await waitFor('a write through the proxy to be refused', async () => {
      n += 1;
      const written = await create(n, proxied);
      return written.status === 201 ? null : written;
    });
    assert.match(answer.text, /disk .* full/);
    assert.equal(answer.headers['retry-after'], '30');
  }
  const metrics = (await sendHttp(`${server.internalUrl}/metrics`)).text;
  assert.match(metrics, /^brandport_database_writable 0$/m);
  assert.match(metrics, /^brandport_database_refusals_total\{reason="disk_full"\} [1-9]/m);
  await waitFor('the line in the log', () =>
    logLinesOf(server.stderr()).some(({ level, msg }) => level === 50 && /DATABASE DISK FULL/.test(msg)),
  );

  rmSync(ballast);
  await waitFor('/readyz to be green', async () => (await readyz())[0] === 200, 60_000);
  assert.equal((await create(n + 1)).status, 201);
  const list = await client.get('/catalog/products?per_page=1');
  assert.equal(list.json.meta.total, acknowledged.length);
  for (const sku of acknowledged)
    assert.equal((await client.get(`/catalog/products?sku=${sku}`)).json.meta.total, 1, sku);
}
