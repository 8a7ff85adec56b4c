import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { migrate, requireMigrated } from '../../src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../src/postgres/schema/schema-line.ts';
import { createDatabase, runSql } from '../../test/support/fresh-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { restoreState } from './schema-state.ts';

const lines = [mainSchema, analyticsSchema];

async function migrationNames({ folder }: (typeof lines)[number]): Promise<string[]> {
  const files = await readdir(new URL('migrations/', folder));
  return files.map((file) => file.replace('.sql', ''));
}

async function earlierDatabase(change = 'select 1') {
  const address = await createDatabase();
  await restoreState(address, 'main-0010-analytics-0004.sql');
  await runSql(address, change);
  return address;
}

const historyOf = (address: Awaited<ReturnType<typeof createDatabase>>) =>
  runSql(
    address,
    `select m.*, m.xmin::text from schema_migrations m union all select a.*, a.xmin::text from analytics.schema_migrations a
     order by name`,
  );

describe('a database at the last of the migrations before 0001-schema', () => {
  it('is recognised by a server, and not by a command that only reads', async () => {
    const address = await earlierDatabase();
    for (const line of lines)
      await assert.rejects(requireMigrated(address, line), /older schema; run `brandport migrate` first/);
    for (const line of lines) {
      assert.equal((await migrate(address, line))[0], '0001-schema (adopted)');
      await requireMigrated(address, line);
      assert.deepEqual(await migrate(address, line), []);
    }
    assert.deepEqual(
      (await historyOf(address)).map(({ name }) => name),
      (await Promise.all(lines.map(migrationNames))).flat().sort(),
    );
  });

  it('is upgraded once by many processes', async () => {
    const address = await earlierDatabase();
    const ran = await Promise.all(Array.from({ length: 6 }, () => migrate(address, mainSchema)));
    assert.equal(ran.filter((names) => names.length > 0).length, 1);
  });

  it('loses the routines and views whose files were deleted', async () => {
    const address = await earlierDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'brandport-main-'));
    after(() => rm(folder, { recursive: true }));
    await cp(fileURLToPath(mainSchema.folder), folder, { recursive: true });
    for (const file of ['routines/note-learner-return.sql', 'views/variant-stock.sql'])
      await rm(join(folder, file));
    await migrate(address, { ...mainSchema, folder: pathToFileURL(`${folder}/`) });
    const left = await runSql(
      address,
      `select to_regproc('note_learner_return') as routine, to_regclass('variant_stock') as view,
         (select count(*)::integer from pg_trigger where tgname = 'learners_note_return') as triggers`,
    );
    assert.deepEqual(left, [{ routine: null, view: null, triggers: 0 }]);
  });

  it('is unchanged when the upgrade fails', async () => {
    const address = await earlierDatabase('create function now_ms() returns integer language sql return 1');
    const before = await historyOf(address);
    await assert.rejects(
      migrate(address, mainSchema),
      /earlier\.sql failed: function "now_ms" already exists/,
    );
    assert.deepEqual(await historyOf(address), before);
  });

  it('is upgraded once a request that holds a lock has finished', async () => {
    const address = await earlierDatabase();
    const request = new pg.Client(address);
    await request.connect();
    try {
      await request.query(`begin; update brands set name = 'Changed'`);
      const upgrade = migrate(address, mainSchema);
      await waitFor('the upgrade to wait', async () => {
        const rows = await runSql(
          address,
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and application_name = 'brandport-migrate'`,
        );
        return rows.length > 0;
      });
      await request.query('commit');
      assert.equal((await upgrade)[0], '0001-schema (adopted)');
      assert.deepEqual(await runSql(address, 'select distinct name from brands'), [{ name: 'Changed' }]);
    } finally {
      await request.end();
    }
  });
});

describe('a database at an older migration', () => {
  const refusals: [string, string][] = [
    ['the one before the last', `delete from schema_migrations where name like '0010-%'`],
    ['the first', `delete from schema_migrations where name > '0002'`],
    ['the last, with a gap', `delete from schema_migrations where name like '0005-%'`],
    ['the last, with a changed file', `update schema_migrations set checksum = 'x' where name like '0003-%'`],
    ['one that nobody knows', `insert into schema_migrations (name, checksum) values ('0011-more', 'x')`],
  ];
  for (const [what, change] of refusals)
    it(`is refused with instructions, and not changed: ${what}`, async () => {
      const address = await earlierDatabase(change);
      const before = await historyOf(address);
      for (const start of [migrate, requireMigrated])
        await assert.rejects(
          start(address, mainSchema),
          /stands at migration 00[\w-]+, which this version cannot upgrade\. Start commit 84384a4 of Brandport on it once, then this version/,
        );
      assert.deepEqual(await historyOf(address), before);
      assert.deepEqual(await runSql(address, `select to_regclass('schema_objects') as objects`), [
        { objects: null },
      ]);
    });
});
