// processes: backs up and restores whole databases
import assert from 'node:assert/strict';
import { open, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { createDatabase, runSql } from '../../../test/support/fresh-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { migrate } from '../../postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../postgres/schema/schema-files.ts';
import { openBackup } from '../manifest.ts';
import { createBackup } from '../snapshot-store.ts';
import { backUp, filledDatabase, newFile, relationsOf, restore, startQueue, stateOf } from './backup-run.ts';

const never = new AbortController().signal;
const filled = await filledDatabase();
const filledState = await stateOf(filled);
const file = await backUp(filled);

describe('a restored backup', { concurrency: 2 }, () => {
  it('has the same schema, rows of every table, sequences and jobs', async () => {
    const target = await createDatabase();
    const { rows, leftOut } = await restore(file, { main: target, analytics: null });
    assert.ok(rows > 50, `${rows} rows`);
    assert.deepEqual(leftOut, []);
    assertSameState(await stateOf(target), filledState);
    const jobs = 'select id, name, state, data from pgboss.job where name not like $1';
    assert.deepEqual(await runSql(target, jobs, ['\\_%']), await runSql(filled, jobs, ['\\_%']));
    assert.deepEqual(await migrate(target, mainSchema), []);
    assert.deepEqual(await migrate(target, analyticsSchema), []);
  });

  it('gives new rows new ids', async () => {
    const target = await createDatabase();
    await restore(file, { main: target, analytics: null });
    const [row] = await runSql<{ isNext: boolean }>(
      target,
      `with added as (insert into brands (name) values ('Next') returning id)
       select added.id > max(b.id) as "isNext" from added, brands b group by added.id`,
    );
    assert.equal(row?.isNext, true);
  });

  it('can have its analytics in another database than before, and in two backups', async () => {
    const [main, analytics, together] = await Promise.all([
      createDatabase(),
      createDatabase(),
      createDatabase(),
    ]);
    await restore(file, { main, analytics });
    assert.ok(!(await relationsOf(main)).includes('learning_events'));
    const apart = await backUp({ main, analytics });
    await restore(apart, { main: together, analytics: null });
    assertSameState(await stateOf(together), filledState);
  });

  it('is brought to the current schema if the backup is older', async () => {
    const old = await filledDatabase({ isOld: true });
    const target = await createDatabase();
    await restore(await backUp(old), { main: target, analytics: null });
    for (const line of [mainSchema, analyticsSchema]) await migrate(old, line);
    assertSameState(await stateOf(target), await stateOf(old));
  });

  it('lacks jobs of another version of the queue, and says so', async () => {
    const source = await filledDatabase();
    await runSql(source, 'update pgboss.version set version = version - 1');
    const older = await backUp(source);
    const target = await createDatabase();
    const { leftOut } = await restore(older, { main: target, analytics: null });
    assert.equal(leftOut.length, 1);
    assert.match(leftOut[0] as string, /^1 jobs: they are of version \d+ of the job queue/);
  });

  it('lacks jobs of kinds that earlier versions had, says so, and has the others', async () => {
    const source = await filledDatabase();
    await runSql(source, 'select pgboss.create_queue(\'partition-upkeep\', \'{"policy": "standard"}\')');
    await runSql(source, "insert into pgboss.job (name) values ('partition-upkeep'), ('partition-upkeep')");
    const target = await createDatabase();
    const { leftOut } = await restore(await backUp(source), { main: target, analytics: null });
    assert.deepEqual(leftOut, ['2 jobs: this version does not have their kinds']);
    const jobs = 'select id, name, data from pgboss.job where name not like $1';
    assert.deepEqual(
      await runSql(target, jobs, ['\\_%']),
      await runSql(source, `${jobs} and name <> 'partition-upkeep'`, ['\\_%']),
    );
  });
});

describe('a restore', { concurrency: 2 }, () => {
  it('is refused by a database that is not empty, and leaves it unchanged', async () => {
    const target = await createDatabase();
    await runSql(target, 'create table mine (id integer)');
    await assert.rejects(restore(file, { main: target, analytics: null }), {
      message:
        'The database is not empty: it has public.mine. Restore into an empty one. Nothing was written.',
    });
    assert.deepEqual(await relationsOf(target), ['mine']);
  });

  it('is refused by an analytics store that is not empty, and leaves both unchanged', async () => {
    const [main, analytics] = [await createDatabase(), await createDatabase()];
    await runSql(analytics, 'create view mine as select 1 as id');
    await assert.rejects(
      restore(file, { main, analytics }),
      /^Error: The analytics store is not empty: it has public.mine/,
    );
    assert.deepEqual(await relationsOf(main), []);
  });

  it('takes a database that has a job queue without jobs, as an interrupted restore leaves it', async () => {
    const target = await createDatabase();
    await startQueue(target);
    await restore(file, { main: target, analytics: null });
    assertSameState(await stateOf(target), filledState);
  });

  it('is refused by a database with another encoding', async () => {
    const target = await createDatabase('LATIN1');
    await assert.rejects(restore(file, { main: target, analytics: null }), {
      message:
        /^The database \w+ has the encoding LATIN1; Brandport needs UTF8\. .*CREATE DATABASE .* Nothing was written\.$/,
    });
  });
});

describe('a backup', { concurrency: 2 }, () => {
  it('does not overwrite a file', async () => {
    const existing = await newFile();
    await writeFile(existing, 'mine');
    const source = { main: filled, analytics: null };
    const options = { version: '1.2.3', log: () => {}, cancelled: never };
    await assert.rejects(createBackup(source, existing, options), /exists, and is not overwritten/);
    assert.deepEqual(await readdir(dirname(existing)), ['backup.tar']);
    assert.equal((await stat(existing)).size, 4);
  });

  it('can be read by its owner only', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('leaves no file behind when its connection is lost in the middle', async () => {
    const target = await newFile();
    const source = { main: await filledDatabase(), analytics: null };
    const options = { version: '1.2.3', log: () => {}, cancelled: never };
    await runSql(source.main, 'create table public.zz_large as select generate_series(1, 3000000) as id');
    const running = createBackup(source, target, options);
    running.catch(() => {});
    const cut = `select pg_terminate_backend(pid) as cut from pg_stat_activity
      where datname = current_database() and query like 'copy %zz_large%'`;
    await waitFor('the large table', async () => (await runSql(source.main, cut)).length > 0);
    await assert.rejects(running);
    assert.deepEqual(await readdir(dirname(target)), []);
  });

  it('keeps nobody from writing, and does not see what is written meanwhile', async () => {
    const source = await filledDatabase();
    const before = await stateOf(source);
    // The backup waits for this lock when the main tables are written.
    const { default: pg } = await import('pg');
    const blocker = new pg.Client(source);
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table analytics.users in access exclusive mode');
    const running = backUp(source);
    running.catch(() => {});
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await waitFor('the lock', async () => (await runSql(source, waits)).length > 0);
    await runSql(source, `insert into brands (name) values ('Later')`);
    await runSql(source, `update products set title = 'Later'`);
    await blocker.query('rollback');
    await blocker.end();
    const target = await createDatabase();
    await restore(await running, { main: target, analytics: null });
    assertSameState(await stateOf(target), before);
  });
});

/** Lists only what differs: the whole is long. */
function assertSameState(actual: readonly string[], expected: readonly string[]): void {
  const without = (all: readonly string[], others: readonly string[]) =>
    all.filter((one) => !others.includes(one));
  assert.deepEqual(without(actual, expected), without(expected, actual));
  assert.equal(actual.length, expected.length);
}

async function manifestOf(path: string) {
  const { reader, manifest } = await openBackup(path);
  await reader.close();
  return manifest;
}

describe('the archive', () => {
  it('is one that tar lists', async () => {
    const handle = await open(file, 'r');
    const { buffer } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    await handle.close();
    assert.equal(buffer.toString('latin1', 257, 262), 'ustar');
    const { main } = await manifestOf(file);
    assert.deepEqual(
      main.tables.slice(0, 2).map(({ schema, name }) => `${schema}.${name}`),
      ['public.brands', 'public.api_keys'],
    );
  });
});
