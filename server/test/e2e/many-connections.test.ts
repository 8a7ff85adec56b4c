import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const holderFile = fileURLToPath(new URL('./silent-connections.ts', import.meta.url));

/** Opens connections from another process with the system's maximum of open files. */
async function holdConnections(url: string, count: number, bytes = 0): Promise<ChildProcess> {
  const args = [process.execPath, holderFile, new URL(url).port, String(count), String(bytes)];
  const holder = spawn('/bin/sh', ['-c', 'ulimit -n $(ulimit -Hn) && exec "$0" "$@"', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(() => holder.kill('SIGKILL'));
  const [line] = await once(holder.stdout as NodeJS.ReadableStream, 'data');
  assert.equal(Number(line), count, 'connections that were accepted');
  return holder;
}

async function metricOf(server: ServerProcess, name: string): Promise<number> {
  const { text } = await sendHttp(`${server.internalUrl}/metrics`);
  return Number(new RegExp(`^${name}\\{listener="client"\\} (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** Resident memory in MB; 0 on systems other than Linux. */
function memoryOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function brandOn(server: ServerProcess) {
  const brand = await server.admin.post('/brands', { name: 'Ordinary' });
  const scopes = ['catalog.products:read', 'catalog.products:write'];
  const key = await server.admin.post(`/brands/${brand.json.id}/keys`, { name: 'k', scopes });
  assert.equal(key.status, 201, key.text);
  return server.clientWith(key.json.api_key);
}

describe('a server that many connect to', () => {
  it('serves next to 10,000 silent connections, in bounded memory, and stops in time', async () => {
    const database = databaseUrl(await createDatabase());
    const server = await startServerProcess({ env: { DATABASE_URL: database } });
    const client = await brandOn(server);
    const holders = [];
    for (const bytes of [0, 12_000, 0, 12_000, 12_000]) {
      holders.push(await holdConnections(server.clientUrl, 2_000, bytes));
      for (let i = 0; i < 3; i += 1) {
        const made = await client.create('/catalog/products', { sku: `BESIDE-${holders.length}-${i}` });
        assert.equal(made.status, 201, made.text);
      }
    }
    const open = await metricOf(server, 'brandport_http_connections');
    const displaced = await metricOf(server, 'brandport_http_connections_displaced_total');
    assert.ok(open <= 4_096 && open + displaced >= 10_000, `${open} open, ${displaced} displaced`);
    assert.match(server.stderr(), /closing idle ones or/);
    const memory = memoryOf(server.pid);
    assert.ok(memory < 512, `${memory} MB`);
    for (const holder of holders) holder.kill('SIGKILL');
    await waitFor('the connections to be gone', async () => {
      return (await metricOf(server, 'brandport_http_connections')) < 10;
    });
    assert.equal((await client.get('/catalog/products')).json.meta.total, 15);
    await holdConnections(server.clientUrl, 1_000);
    assert.equal((await server.stop()).code, 0);
  });

  it('serves with 256 open files, also with more connections than that', async () => {
    const server = await startServerProcess({ openFiles: 256 });
    const client = await brandOn(server);
    await holdConnections(server.clientUrl, 1_000);
    const created = await Promise.all(
      Array.from({ length: 30 }, (_, i) => client.create('/catalog/products', { sku: `FEW-${i}` })),
    );
    assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]));
    assert.ok((await metricOf(server, 'brandport_http_connections')) <= 112);
    assert.doesNotMatch(server.stderr(), /EMFILE|not accepted/);
    assert.equal((await server.stop()).code, 0);
  });
});
