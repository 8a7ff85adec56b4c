// processes: migrates databases and waits for locks, in 6 seconds
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createDatabase, runSql } from '../../../../test/support/fresh-database.ts';
import { startTcpProxy } from '../../../../test/support/tcp-proxy.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { migrate, requireMigrated } from '../migrate.ts';
import { type ManagedSchema, MigrationError, readSchemaFiles } from '../schema-files.ts';
import { type Files, firstFiles, schemaVersion } from './schema-folder.ts';

const first = await schemaVersion(1, firstFiles);
const objectNames = ['views/all-things', 'views/a-summary', 'routines/double', 'routines/note-thing'];

type Address = Awaited<ReturnType<typeof createDatabase>>;

async function migrated(managed: ManagedSchema = first) {
  const address = await createDatabase();
  await migrate(address, managed);
  return address;
}

const later = (files: Files) => schemaVersion(2, firstFiles, files);

describe('migrate', () => {
  it('runs migrations, then views and routines after the ones that they name, once', async () => {
    const address = await createDatabase();
    assert.deepEqual(await migrate(address, first), ['0001-schema', ...objectNames]);
    assert.deepEqual(await migrate(address, first), []);
    await requireMigrated(address, first);
    await runSql(address, 'insert into things (id) values (1)');
    assert.deepEqual(await runSql(address, 'select things, double(thing_id) from a_summary, notes'), [
      { things: 1, double: 2 },
    ]);
  });

  it('refuses a PostgreSQL that is too old by its version, and writes nothing', async () => {
    const direct = await createDatabase();
    const proxy = await startTcpProxy(direct);
    const [real] = await runSql<{ version: string; number: string }>(
      direct,
      `select current_setting('server_version') as version, current_setting('server_version_num') as number`,
    );
    // This server says that it is another one.
    proxy.replace((real as { number: string }).number, '150008');
    const address = { ...direct, host: '127.0.0.1', port: proxy.port };
    const message = `The database ${direct.database} is PostgreSQL ${real?.version}; Brandport needs 16 or later. Nothing was written.`;
    await assert.rejects(migrate(address, first), { message });
    await assert.rejects(requireMigrated(address, first), { message });
    assert.deepEqual(await runSql(direct, `select from pg_tables where schemaname = 'public'`), []);
  });

  // [D299]
  for (const encoding of ['LATIN1', 'SQL_ASCII'])
    it(`refuses a database in ${encoding}, with the statement that creates a right one, and writes nothing`, async () => {
      const narrow = await createDatabase(encoding);
      const message =
        `The database ${narrow.database} has the encoding ${encoding}; Brandport needs UTF8. Create another one: ` +
        `CREATE DATABASE brandport ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0; Nothing was written.`;
      await assert.rejects(migrate(narrow, first), { message });
      await assert.rejects(requireMigrated(narrow, first), { message });
      assert.deepEqual(await runSql(narrow, `select from pg_tables where schemaname = 'public'`), []);
      const name = `${narrow.database}_right`;
      const right = / (CREATE DATABASE .*?;)/.exec(message)?.[1]?.replace('brandport', name) as string;
      await runSql(narrow, right);
      try {
        assert.equal((await migrate({ ...narrow, database: name }, first)).length, 5);
      } finally {
        await runSql(narrow, `drop database ${name}`);
      }
    });

  it('lets one of several processes work', async () => {
    const address = await createDatabase();
    const ran = await Promise.all(Array.from({ length: 8 }, () => migrate(address, first)));
    assert.deepEqual(
      ran.filter((names) => names.length > 0),
      [['0001-schema', ...objectNames]],
    );
  });

  it('replaces only the views and routines whose text changed', async () => {
    const address = await migrated();
    const next = await later({
      'routines/double.sql': `create or replace function double(given integer) returns integer language sql as 'select given + given + 1'`,
    });
    await assert.rejects(requireMigrated(address, next), /older schema; run `brandport migrate` first/);
    assert.deepEqual(await migrate(address, next), ['routines/double']);
    assert.deepEqual(await runSql(address, 'select double(2)'), [{ double: 5 }]);
    await requireMigrated(address, next);
  });

  it('creates views again whose columns changed, together with those that read them', async () => {
    const address = await migrated();
    const next = await later({
      'views/all-things.sql': 'create or replace view all_things as select quantity, id from things',
    });
    assert.deepEqual(await migrate(address, next), ['views/all-things']);
    await runSql(address, 'insert into things (id, quantity) values (1, 7)');
    assert.deepEqual(await runSql(address, 'select quantity, things from all_things, a_summary'), [
      { quantity: 7, things: 1 },
    ]);
    assert.deepEqual(await runSql(address, 'select thing_id from notes'), [{ thing_id: 1 }]);
    assert.deepEqual(await migrate(address, next), []);
  });

  it('leaves one function where its result changed', async () => {
    const address = await migrated();
    const text = `create or replace function double(given integer) returns bigint language sql as 'select given * 2 + 1::bigint'`;
    await migrate(address, await later({ 'routines/double.sql': text }));
    assert.deepEqual(await runSql(address, 'select double(2)::integer as result'), [{ result: 5 }]);
    assert.deepEqual(
      await runSql(address, `select count(*)::integer from pg_proc where proname = 'double'`),
      [{ count: 1 }],
    );
  });

  it('drops the views and routines whose file is gone, triggers included', async () => {
    const address = await migrated();
    const next = await later({
      'views/a-summary.sql': null,
      'views/all-things.sql': null,
      'routines/note-thing.sql': null,
    });
    assert.deepEqual(await migrate(address, next), [
      'dropped views/all-things',
      'dropped views/a-summary',
      'dropped routines/note-thing',
    ]);
    await runSql(address, 'insert into things (id) values (1)');
    assert.deepEqual(await runSql(address, 'select thing_id from notes'), []);
    assert.deepEqual(
      await runSql(
        address,
        `select relname from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace`,
      ),
      [],
    );
  });

  it('creates in the same transaction what a migration dropped', async () => {
    const address = await migrated();
    const next = await schemaVersion(1, firstFiles, {
      'migrations/0002-names.sql': `drop view a_summary, all_things; alter table things alter column name type varchar(9)`,
    });
    assert.deepEqual(await migrate(address, next), ['0002-names', 'views/all-things', 'views/a-summary']);
  });

  it('creates what somebody dropped by hand', async () => {
    const address = await migrated();
    await runSql(address, 'drop function double');
    await assert.rejects(requireMigrated(address, first), /older schema/);
    assert.deepEqual(await migrate(address, first), ['routines/double']);
  });

  it('changes nothing when a routine fails, not even by the migrations before it', async () => {
    const address = await migrated();
    const next = await later({
      'migrations/0002-more.sql': 'create table more (id integer)',
      'views/all-things.sql': 'create or replace view all_things as select id, nothing from things',
    });
    await assert.rejects(migrate(address, next), (error: Error) => {
      assert.ok(error instanceof MigrationError);
      assert.match(error.message, /^views\/all-things failed: column "nothing" does not exist/);
      return true;
    });
    assert.deepEqual(await migrate(address, first), []);
    assert.deepEqual(await runSql(address, `select to_regclass('more') as more`), [{ more: null }]);
  });

  it('refuses to drop a view that an object of somebody else needs, and changes nothing', async () => {
    const address = await migrated();
    await runSql(address, 'create view theirs as select id from all_things');
    const next = await later({ 'views/all-things.sql': null, 'views/a-summary.sql': null });
    await assert.rejects(migrate(address, next), /views\/all-things failed: cannot drop view all_things/);
    assert.deepEqual(await migrate(address, first), []);
  });

  it('waits for a reader that holds a lock, in short turns', async () => {
    const address = await migrated();
    const reader = new pg.Client(address);
    await reader.connect();
    try {
      await reader.query('begin');
      await reader.query('select things from a_summary');
      const next = await later({
        'views/all-things.sql': 'create or replace view all_things as select id, name, quantity from things',
      });
      const upgrade = migrate(address, next);
      await waitFor('the upgrade to wait', async () => {
        const [row] = await runSql<{ waits: number }>(
          address,
          `select count(*)::integer as waits from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%all_things%'`,
        );
        return (row?.waits ?? 0) > 0;
      });
      await reader.query('commit');
      assert.deepEqual(await upgrade, ['views/all-things']);
    } finally {
      await reader.end();
    }
  });
});

// [internal-53]
describe('an older version', () => {
  it('does not apply its older views and routines to the database of a newer one', async () => {
    const address = await migrated();
    const changed = { 'routines/double.sql': `${firstFiles['routines/double.sql']} -- newer` };
    await migrate(address, await later(changed));
    for (const start of [migrate, requireMigrated])
      await assert.rejects(
        start(address, first),
        /revision 2 of views and routines, this version has 1: it was used by a newer/,
      );
    assert.deepEqual(await migrate(address, await later(changed)), []);
  });

  it('is recognised after a newer one that went back to its text', async () => {
    const address = await migrated();
    await migrate(
      address,
      await later({ 'routines/double.sql': `${firstFiles['routines/double.sql']} -- newer` }),
    );
    assert.deepEqual(await migrate(address, await schemaVersion(3, firstFiles)), ['routines/double']);
    await assert.rejects(migrate(address, first), /newer Brandport/);
  });

  it('is recognised where the newer one only removed something', async () => {
    const address = await migrated();
    await migrate(address, await later({ 'routines/double.sql': null }));
    await assert.rejects(migrate(address, first), /newer Brandport/);
  });

  it('does not start on a migration that it does not have', async () => {
    const address = await migrated();
    await migrate(address, await schemaVersion(1, firstFiles, { 'migrations/0002-more.sql': 'select 1' }));
    await assert.rejects(migrate(address, first), /migration 0002-more, which this version does not have/);
  });
});

// [D320]
describe('a baseline', async () => {
  const second = { 'migrations/0002-size.sql': 'alter table things add column size integer' };
  const last = await schemaVersion(1, firstFiles, second);
  const { migrations: replaced } = await readSchemaFiles(last);
  const squashed = await schemaVersion(2, firstFiles, {
    'migrations/0001-schema.sql': null,
    'migrations/0002-baseline.sql': `${firstFiles['migrations/0001-schema.sql']};
      alter table things add column size integer`,
    'migrations/0003-colour.sql': 'alter table things add column colour text',
    'replaced.txt': replaced.map(({ name, checksum }) => `${name} ${checksum}\n`).join(''),
  });
  const records = (address: Address) =>
    runSql(address, 'select name, checksum from schema_migrations order by name');

  it('takes over a database that has run all of what it replaces', async () => {
    const address = await migrated(last);
    await runSql(address, 'insert into things (id, size) values (1, 2)');
    await assert.rejects(requireMigrated(address, squashed), /older schema; run `brandport migrate` first/);
    assert.deepEqual(await migrate(address, squashed), ['0003-colour']);
    assert.deepEqual(await runSql(address, 'select id, size, colour from things'), [
      { id: 1, size: 2, colour: null },
    ]);
    await requireMigrated(address, squashed);
    assert.deepEqual(await migrate(address, squashed), []);
  });

  it('leaves a new database as the migrations would, so that the version before knows it as newer', async () => {
    const [fresh, upgraded] = [await migrated(squashed), await migrated(last)];
    await migrate(upgraded, squashed);
    assert.deepEqual(await records(fresh), await records(upgraded));
    for (const start of [migrate, requireMigrated])
      await assert.rejects(
        start(fresh, last),
        /migration 0003-colour, which this version does not have: .* newer Brandport/,
      );
  });

  it('refuses a database that has not run all of it, or of another history, with what to do', async () => {
    for (const change of [
      `delete from schema_migrations where name = '0002-size'`,
      `update schema_migrations set name = '0014-' || name`,
    ]) {
      const address = await migrated(last);
      await runSql(address, change);
      const before = await records(address);
      for (const start of [migrate, requireMigrated])
        await assert.rejects(
          start(address, squashed),
          /older Brandport than the last 0\.3.* Run `brandport migrate` of the last 0\.3/,
        );
      assert.deepEqual(await records(address), before);
    }
  });

  it('refuses a database in which one of them was another', async () => {
    const address = await migrated(last);
    await runSql(address, `update schema_migrations set checksum = 'other' where name = '0002-size'`);
    await assert.rejects(migrate(address, squashed), /0002-size was changed after it ran/);
  });
});

describe('a migration', () => {
  it('that was changed after it ran is refused', async () => {
    const address = await migrated();
    const changed = {
      'migrations/0001-schema.sql': `${firstFiles['migrations/0001-schema.sql']} -- changed`,
    };
    await assert.rejects(
      migrate(address, await schemaVersion(1, firstFiles, changed)),
      /0001-schema was changed after it ran/,
    );
  });
});
