import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { connectToEmbedded } from '../support/embedded-connection.ts';
import { sendHttp } from '../support/http-client.ts';
import { findPostgresPid, isRunning } from '../support/postgres-process.ts';
import { seedBrand } from '../support/seed.ts';
import { logLinesOf } from '../support/server-output.ts';
import { makeDataDir, spawnServer, startServerProcess } from '../support/server-process.ts';
import { pasteIntoShell } from '../support/shell.ts';
import { waitFor } from '../support/wait-for.ts';

describe('the data directory', { concurrency: 2 }, () => {
  // [internal-9]
  test('a second start on a directory in use names the owner and exits with 1; the first keeps serving', async () => {
    const first = await startServerProcess();
    const postgres = findPostgresPid(first.dataDir);
    const second = await spawnServer({ env: { BRANDPORT_DATA_DIR: first.dataDir } });
    assert.equal((await second.exit).code, 1);
    assert.equal(second.stdout(), '');
    assert.match(
      logLinesOf(second.stderr()).at(-1)?.msg ?? '',
      new RegExp(`^The data directory ${first.dataDir} is in use by process ${first.pid}\\.`),
    );
    assert.doesNotMatch(second.stderr(), /^\s+at /m);
    assert.equal(findPostgresPid(first.dataDir), postgres);
    assert.equal((await sendHttp(`${first.clientUrl}/readyz`)).status, 200);
    assert.equal((await first.stop()).code, 0);
  });

  test('after a kill -9 of the server the next start ends the PostgreSQL left behind and has all the data', async () => {
    const killed = await startServerProcess();
    const { client, apiKey } = await seedBrand(killed);
    assert.equal((await client.create('/catalog/products', { sku: 'KEPT' })).status, 201);
    const open = await connectToEmbedded(killed.dataDir);
    await open.query('begin; update products set sku = sku');
    await killed.kill9();
    const orphan = findPostgresPid(killed.dataDir) as number;
    assert.ok(isRunning(orphan), 'it does outlive the server');

    const next = await startServerProcess({ env: { BRANDPORT_DATA_DIR: killed.dataDir } });
    assert.ok(!isRunning(orphan));
    assert.match(next.stderr(), new RegExp(`left behind by an earlier Brandport \\(.*\\b${orphan}\\b`));
    const list = await next.clientWith(apiKey).get('/catalog/products');
    assert.deepEqual([list.status, list.json.data.length], [200, 1]);
    assert.equal((await next.stop()).code, 0);
    assert.equal(findPostgresPid(killed.dataDir), null);
  });

  test('both killed at once, server and PostgreSQL: the next start recovers', async () => {
    const killed = await startServerProcess();
    const { client, apiKey } = await seedBrand(killed);
    const skus = Array.from({ length: 20 }, (_, n) => `SKU-${n}`);
    const created = await Promise.all(skus.map((sku) => client.create('/catalog/products', { sku })));
    assert.ok(created.every(({ status }) => status === 201));
    process.kill(findPostgresPid(killed.dataDir) as number, 'SIGKILL');
    await killed.kill9();
    const next = await startServerProcess({ env: { BRANDPORT_DATA_DIR: killed.dataDir } });
    const list = await next.clientWith(apiKey).get('/catalog/products?per_page=100');
    assert.equal(list.json.meta.total, skus.length);
  });

  test('a path works with spaces, quotes, dollars and letters of the world, longer than a socket’s address can be, also after a kill -9', async () => {
    const name = `${'deep/'.repeat(25)}it's "my" $HOME \`data\` & Zürich 東京`;
    const dataDir = join(await makeDataDir(), name);
    const env = {
      BRANDPORT_DATA_DIR: dataDir,
      BRANDPORT_ADMIN_TOKEN: undefined,
      BRANDPORT_DEMO: '1',
      LOG_FORMAT: 'pretty',
    };
    const server = await startServerProcess({ env });
    assert.ok(Buffer.byteLength(join(dataDir, 'postgres/.s.PGSQL.5432')) > 107);
    const lines = server.stderr().split('\n');
    const asAdmin = lines.findLast((line) => line.startsWith('  curl ')) ?? '';
    assert.equal(JSON.parse(await pasteIntoShell(asAdmin)).data.length, 1, 'the welcome quotes the path');
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
    await server.kill9();
    const next = await startServerProcess({ env });
    assert.equal((await sendHttp(`${next.clientUrl}/readyz`)).status, 200);
    assert.equal((await next.stop()).code, 0);
  });

  test('a cluster of another PostgreSQL major version is refused with both versions and the way out, untouched', async () => {
    const server = await startServerProcess();
    assert.equal((await server.stop()).code, 0);
    const file = join(server.dataDir, 'postgres/PG_VERSION');
    const own = Number(await readFile(file, 'utf8'));
    await writeFile(file, `${own - 1}\n`);
    const refused = await spawnServer({ env: { BRANDPORT_DATA_DIR: server.dataDir } });
    assert.equal((await refused.exit).code, 1);
    assert.match(
      refused.stderr(),
      new RegExp(`created by PostgreSQL ${own - 1}; .*PostgreSQL ${own},.*DATABASE_URL`),
    );
    assert.doesNotMatch(refused.stderr(), /^\s+at /m);
    assert.equal(await readFile(file, 'utf8'), `${own - 1}\n`);

    await writeFile(file, `${own}\n`);
    const next = await startServerProcess({ env: { BRANDPORT_DATA_DIR: server.dataDir } });
    assert.equal((await sendHttp(`${next.clientUrl}/readyz`)).status, 200);
  });

  test('SIGTERM while a lost PostgreSQL is being started again leaves nothing running', async () => {
    const server = await startServerProcess();
    const lost = findPostgresPid(server.dataDir) as number;
    process.kill(lost, 'SIGKILL');
    await waitFor('the restart', () => server.stderr().includes('exited unexpectedly, restarting'));
    server.signal('SIGTERM');
    assert.equal((await server.exit).code, 0);
    assert.equal(findPostgresPid(server.dataDir), null);
  });
});
