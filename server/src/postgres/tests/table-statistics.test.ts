// nightly: waits for statistics of tables that grow
import assert from 'node:assert/strict';
import { after, beforeEach, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { TableStatistics } from '../table-statistics.ts';

const { address, sql } = await createTestDatabase();
const errors: unknown[] = [];
const options = {
  schemas: ['public'],
  intervalMs: 3_600_000,
  onError: (error: unknown) => errors.push(error),
};
const statistics = new TableStatistics({ address, ...options });
after(() => statistics.close());

beforeEach(createThings);

/** Creates the table without autovacuum, so that only the look takes statistics. */
async function createThings(): Promise<void> {
  await sql('drop table if exists things');
  await sql('create table things (id integer primary key, kind integer) with (autovacuum_enabled = off)');
}

/** Adds rows, and waits until the counters of the database show them. */
async function add(count: number): Promise<void> {
  const { rows } = await counters();
  await sql('insert into things select $1 + n, n % 7 from generate_series(1, $2::integer) n', [rows, count]);
  await waitFor('the counters', async () => (await counters()).rows === rows + count);
}

async function counters(): Promise<{ rows: number; known: number; analyzed: number }> {
  await sql('select pg_stat_clear_snapshot()');
  const [row] = await sql<{ rows: number; known: number; analyzed: number }>(
    `select s.n_live_tup::integer as rows, c.reltuples::integer as known, s.analyze_count::integer as analyzed
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = 'things'`,
  );
  return row ?? { rows: 0, known: -1, analyzed: 0 };
}

it('a table is analysed when it has its first rows, and again when it has grown fivefold', async () => {
  await add(40);
  await statistics.look();
  assert.equal((await counters()).known, -1, 'of a few rows nothing needs to be known');
  await add(960);
  await statistics.look();
  assert.equal((await counters()).known, 1_000);
  await add(3_000);
  await statistics.look();
  assert.equal((await counters()).known, 1_000);
  await add(1_000);
  await statistics.look();
  assert.equal((await counters()).known, 5_000);
});

it('updates alone are left to autovacuum', async () => {
  await add(100);
  await statistics.look();
  for (let round = 0; round < 20; round += 1) await sql('update things set kind = kind + 1');
  await statistics.look();
  assert.equal((await counters()).analyzed, 1);
});

it('a plan that a connection keeps for a table ends with it', async () => {
  // A busy cluster can drop kept plans early, when its queue of invalidations overflows. Then the attempt shows nothing.
  for (let attempt = 1; attempt <= 5; attempt += 1) if (await endsKeptPlan()) return;
  assert.fail('the plan was never kept until the statistics were taken');
});

/** Returns whether the plan was kept while the table grew, and asserts that it then ends with the look. */
async function endsKeptPlan(): Promise<boolean> {
  await createThings();
  const client = new pg.Client(address as pg.ClientConfig);
  await client.connect();
  try {
    await client.query('create index by_kind on things (kind)');
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query('prepare of_kind as select count(*) from things where kind = $1');
    const plan = async () =>
      (await client.query('explain execute of_kind(3)')).rows.map((row) => row['QUERY PLAN']).join('\n');
    await add(100);
    const before = await plan();
    await add(50_000);
    if ((await plan()) !== before) return false;
    await statistics.look();
    assert.notEqual(await plan(), before);
    return true;
  } finally {
    await client.end();
  }
}

it('a table that somebody has locked is not waited for', async () => {
  await add(1_000);
  const client = new pg.Client(address as pg.ClientConfig);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('lock table things in access exclusive mode');
    await statistics.look();
    await client.query('rollback');
  } finally {
    await client.end();
  }
  assert.deepEqual(errors, []);
  await statistics.look();
  assert.equal((await counters()).known, 1_000);
});

it('an unavailable database is reported once, and looked at again', async () => {
  const reported: unknown[] = [];
  const away = new TableStatistics({
    address: { ...address, database: 'nowhere' },
    ...options,
    onError: (error) => reported.push(error),
  });
  await away.look();
  await away.look();
  await away.close();
  assert.equal(reported.length, 1);
});
