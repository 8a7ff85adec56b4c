import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, it } from 'node:test';
import { findFreePort } from '../../../server/test/support/free-port.ts';
import { runCommand, startCommand } from '../../../server/test/support/run-command.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { startSandboxProcess, startSandboxProcessWith } from './sandbox-process.ts';

describe('brandport sandbox', () => {
  it('serves a brand with catalog and learning events, and leaves nothing behind', async () => {
    const sandbox = await startSandboxProcess();
    const { client, admin, tmp, brandId } = sandbox;
    const products = await client.get('/catalog/products');
    assert.ok(products.json.data.length > 0);
    assert.equal(products.headers['x-brandport-sandbox'], 'true');
    assert.equal(products.headers['x-ratelimit-limit'], '300');
    const days = await admin.get(`/brands/${brandId}/aggregations`);
    assert.equal(days.json.data.length, 30);
    const { date: day } = days.json.data[0];
    const rows = await client.get(`/analytics/users/contents?from=${day}&to=${day}`);
    assert.ok(rows.json.data?.length > 0, rows.text);
    assert.equal((await admin.get('/none')).headers['x-brandport-sandbox'], 'true');
    for (const url of [sandbox.clientUrl, sandbox.internalUrl]) {
      const ready = await fetch(`${url}/readyz`);
      assert.deepEqual(await ready.json(), { status: 'ready', sandbox: true });
    }
    const { code, stderr } = await sandbox.end('SIGINT');
    assert.equal(code, 0, stderr);
    assert.deepEqual(await readdir(tmp), []);
  });

  it('that is killed takes its PostgreSQL along, and the next start removes its directory', async () => {
    const killed = await startSandboxProcess('--empty');
    const [left = ''] = await readdir(killed.tmp);
    const path = join(killed.tmp, left);
    const pid = Number.parseInt(await readFile(join(path, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 0);
    await killed.end('SIGKILL');
    await waitFor('the end of PostgreSQL', () => !existsSync(`/proc/${pid}`), 20_000);
    const { child, outcome } = startCommand({ TMPDIR: killed.tmp }, 'sandbox', '--json', '--empty');
    await waitFor('the removal', () => !existsSync(path), 60_000);
    child.kill('SIGTERM');
    await outcome;
    assert.deepEqual(await readdir(killed.tmp), []);
  });

  it('begins without data, and keeps what it gets for the next start', async () => {
    const dir = join(await mkdtemp(join(tmpdir(), 'bp-kept-')), 'new');
    const first = await startSandboxProcess('--empty', '--keep', dir);
    assert.deepEqual((await first.client.get('/catalog/products')).json.data, []);
    const created = await first.client.post(
      '/catalog/products',
      { sku: 'KEPT' },
      { 'idempotency-key': 'kept-1' },
    );
    assert.equal(created.status, 201, created.text);
    assert.equal((await first.end('SIGTERM')).code, 0);
    const second = await startSandboxProcess('--keep', dir);
    assert.equal(second.apiKey, first.apiKey);
    const { json } = await second.client.get('/catalog/products');
    assert.deepEqual(
      json.data.map(({ sku }: { sku: string }) => sku),
      ['KEPT'],
    );
    assert.equal((await second.end('SIGTERM')).code, 0);
    assert.ok((await readdir(dir)).includes('postgres'));
  });

  it('serves on the ports of its environment, also on those of a server, and says that one is taken', async () => {
    const [port, internalPort] = [await findFreePort(), await findFreePort()];
    const ports = { PORT: String(port), BRANDPORT_INTERNAL_PORT: String(internalPort) };
    const { clientUrl, internalUrl } = await startSandboxProcessWith(ports, '--empty');
    assert.deepEqual(
      [clientUrl, internalUrl],
      [`http://127.0.0.1:${port}`, `http://127.0.0.1:${internalPort}`],
    );
    const second = await runCommand(ports, 'sandbox', '--empty');
    assert.equal(second.code, 1);
    assert.match(second.stderr, new RegExp(`${port}`));
  });

  it('refuses a directory that holds anything else, and the database of another server', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'bp-other-'));
    await writeFile(join(dir, 'letter.txt'), 'Dear');
    const other = await runCommand({}, 'sandbox', '--keep', dir);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /neither empty nor the directory of a sandbox/);
    assert.deepEqual(await readdir(dir), ['letter.txt']);
    const foreign = await runCommand({ DATABASE_URL: 'postgres://h/d', REDIS_URL: 'redis://h' }, 'sandbox');
    assert.equal(foreign.code, 2);
    assert.match(foreign.stderr, /DATABASE_URL must not be set.*\n.*REDIS_URL must not be set/);
  });

  it('ends and leaves nothing when it is stopped while it starts', async () => {
    const tmp = await mkdtemp(join(tmpdir(), 'bp-'));
    const { child, outcome } = startCommand({ TMPDIR: tmp }, 'sandbox');
    while ((await readdir(tmp)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill('SIGTERM');
    const { code, stderr } = await outcome;
    assert.equal(code, 0, stderr);
    assert.deepEqual(await readdir(tmp), []);
  });
});
