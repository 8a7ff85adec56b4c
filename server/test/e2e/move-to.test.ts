import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createDatabase } from '../support/fresh-database.ts';
import { runCommand } from '../support/run-command.ts';
import { seedBrand } from '../support/seed.ts';
import { startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

const body = { sku: 'MOVED', title: 'Größe „M“' };
const replayable = { 'idempotency-key': 'key-1' };

describe('brandport move-to', () => {
  it('moves the embedded database to one of the operator, also next to a running server', async () => {
    const server = await startServerProcess();
    const { apiKey, client } = await seedBrand(server);
    const created = await client.post('/catalog/products', body, replayable);
    const env = { BRANDPORT_DATA_DIR: server.dataDir };
    const rehearsal = await runCommand(env, 'move-to', databaseUrl(await createDatabase()));
    assert.equal(rehearsal.code, 0, rehearsal.stderr);
    assert.match(
      rehearsal.stdout,
      /everything adds up\.\nA server is running on .* is not in the new database/,
    );
    assert.equal((await server.stop()).code, 0);

    // What a killed move leaves.
    await mkdir(join(server.dataDir, 'move-Ab12cd'));
    await writeFile(join(server.dataDir, 'move-Ab12cd/brandport.tar'), 'rows');
    const address = await createDatabase();
    const moved = await runCommand(env, 'move-to', databaseUrl(address));
    assert.equal(moved.code, 0, moved.stderr);
    assert.match(moved.stdout, /^Copied \d+ tables, .*\nExamined 1 brand: everything adds up\.\nTo use it/);
    assert.deepEqual(
      (await readdir(server.dataDir)).filter((name) => name.startsWith('move-')),
      [],
    );
    const next = await startServerProcess({ env: { ...env, DATABASE_URL: databaseUrl(address) } });
    const replay = await next.clientWith(apiKey).post('/catalog/products', body, replayable);
    assert.equal(replay.text, created.text);
    assert.equal((await next.stop()).code, 0);
    const refused = await runCommand(env, 'move-to', databaseUrl(address));
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The database is not empty/m);
    assert.doesNotMatch(refused.stderr, /public\.brands: /, 'a backup was written before');
  });
});
