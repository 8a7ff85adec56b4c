import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { runCommand } from '../support/run-command.ts';
import { makeDataDir } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

// [D299]
describe('a database that is not in UTF-8', () => {
  for (const command of ['serve', 'migrate'])
    for (const which of ['DATABASE_URL', 'BRANDPORT_ANALYTICS_URL'])
      it(`is refused by ${command} as ${which}, with its name`, async () => {
        const [narrow, wide] = [await createDatabase('LATIN1'), await createDatabase()];
        const env = {
          DATABASE_URL: databaseUrl(wide),
          BRANDPORT_DATA_DIR: join(await makeDataDir(), 'data'),
          BRANDPORT_ADMIN_TOKEN: 'narrow-database-admin-token-canary-51aa',
          PORT: '0',
          BRANDPORT_INTERNAL_PORT: '0',
          [which]: databaseUrl(narrow),
        };
        const { code, stderr } = await runCommand(env, command);
        assert.equal(code, 1, stderr);
        assert.ok(stderr.includes(`The database ${narrow.database} has the encoding LATIN1;`), stderr);
        assert.deepEqual(await runSql(narrow, `select from pg_tables where schemaname !~ '^(pg_|inf)'`), []);
      });
});
