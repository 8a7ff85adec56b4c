import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { startPgbouncer } from '../support/pgbouncer-server.ts';
import { runCommand } from '../support/run-command.ts';
import { seedBrand } from '../support/seed.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';

const program = findSystemProgram('pgbouncer', 'pgbouncer');

// [D185]
describe('behind PgBouncer', { skip: program === null, concurrency: true }, () => {
  test('with pool_mode=session, a server and the commands work, with their session settings', async () => {
    const address = await createDatabase();
    for (const setting of [
      "datestyle = 'SQL, DMY'",
      'array_nulls = off',
      'standard_conforming_strings = off',
    ])
      await runSql(address, `alter database ${address.database} set ${setting}`);
    const url = await startPgbouncer(program as string, address, 'session');
    const env = { DATABASE_URL: url, BRANDPORT_DATA_DIR: await makeDataDir() };
    const server = await startServerProcess({ env });
    const { client } = await seedBrand(server);
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.create('/catalog/products', { sku: `SKU-${n}` })),
    );
    assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]));
    assert.equal((await client.get('/catalog/products')).json.meta.total, 20);
    assert.match((await runCommand(env, 'doctor')).stdout, /everything adds up/);
    const backup = await runCommand(env, 'backup', `${env.BRANDPORT_DATA_DIR}/backup.tar`);
    assert.equal(backup.code, 0, backup.stderr);
    assert.equal((await server.stop()).code, 0);
  });

  for (const mode of ['transaction', 'statement'] as const)
    test(`with pool_mode=${mode}, every command exits with a sentence that says what to use`, async () => {
      const address = await createDatabase();
      const env = {
        DATABASE_URL: await startPgbouncer(program as string, address, mode),
        BRANDPORT_DATA_DIR: await makeDataDir(),
      };
      for (const command of ['serve', 'migrate', 'doctor']) {
        const { code, stderr } = await runCommand(env, command);
        assert.equal(code, 1, command);
        assert.match(
          stderr,
          /set pool_mode=session for its database, or connect to PostgreSQL directly\.\n$/,
        );
      }
    });
});
