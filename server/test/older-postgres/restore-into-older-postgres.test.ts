// nightly: needs the programs of older PostgreSQL versions, 100 MB: npm run install:older-postgres
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { backUp, filledDatabase, restore, stateOf } from '../../src/backup/tests/backup-run.ts';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/embedded-postgres.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { runCommand } from '../support/run-command.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { folderOf, type OlderMajor, olderPostgres, packageName } from './versions.ts';

async function startOlder(major: OlderMajor) {
  const binariesDir = join(folderOf(major), 'node_modules', packageName, 'native');
  assert.ok(existsSync(binariesDir), `PostgreSQL ${major} is not installed: npm run install:older-postgres`);
  const dataDir = join(await makeDataDir(), 'data');
  const server = await startEmbeddedPostgres({ dataDir, binariesDir, log: () => {}, isDisposable: true });
  after(() => server.stop());
  const address = { ...server.connection, database: 'restored' };
  await runSql(server.connection, 'create database restored');
  return address;
}

const source = await filledDatabase();
const file = await backUp(source);

// [D115]
for (const major of [16, 17] as const)
  describe(`a backup of PostgreSQL 18, restored into ${olderPostgres[major]}`, async () => {
    const address = await startOlder(major);

    it('has the same rows, which the doctor accepts and a server serves', async () => {
      const [version] = await runSql<{ number: number }>(
        address,
        `select current_setting('server_version_num')::integer / 10000 as number`,
      );
      assert.equal(version?.number, major);
      await restore(file, { main: address, analytics: null });
      const rowsOf = async (of: typeof address) =>
        (await stateOf(of)).filter((statement) => /^(INSERT|SELECT)/.test(statement));
      assert.deepEqual(await rowsOf(address), await rowsOf(source));
      const env = {
        DATABASE_URL: databaseUrl(address),
        BRANDPORT_DATA_DIR: await makeDataDir(),
      };
      const doctor = await runCommand(env, 'doctor');
      assert.equal(doctor.code, 0, doctor.stdout);
      assert.match(doctor.stdout, /Examined 1 brand: everything adds up\.\n$/);
      const server = await startServerProcess({ env });
      assert.equal((await server.admin.get('/brands')).json.data.length, 1);
      assert.equal((await server.stop()).code, 0);
    });

    it('can be backed up there, and restored into PostgreSQL 18', async () => {
      const back = await backUp(address);
      const target = await createDatabase();
      await restore(back, { main: target, analytics: null });
      const sizes = `select count(*)::integer as products from products`;
      assert.deepEqual(await runSql(target, sizes), await runSql(source, sizes));
    });
  });
