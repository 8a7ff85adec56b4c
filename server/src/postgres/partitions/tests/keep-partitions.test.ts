import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../../test/support/test-database.ts';
import { sqlState } from '../../sqlstate.ts';
import { keepPartitions } from '../keep-partitions.ts';
import { announcePartitionEnd } from '../partition-store.ts';
import { partitionedTables } from '../partitioned-tables.ts';
import { partitionsOf, useLastPartition } from './end-partition.ts';

const tables = await createTestDatabase();
const { database, sql } = tables;
const [audit] = partitionedTables;
const other = new pg.Client(tables.address);
await other.connect();
tables.beforeClose(() => other.end());

const addEntries = (count: number) =>
  sql(
    `insert into audit_entries (action, resource_type, resource_id) select 'test', 'test', n::text from generate_series(1, $1) n`,
    [count],
  );
const addEntry = (id: number) =>
  sql<{ partition: string }>(
    `insert into audit_entries (id, action, resource_type, resource_id) overriding system value
     values ($1, 'test', 'test', 'x') returning tableoid::regclass::text as partition`,
    [id],
  );
const endOf = async (n: number) => (await partitionsOf(tables, 'audit_entries'))[n]?.ends_before ?? null;
const lastId = async () =>
  (await sql<{ id: number }>('select max(id) as id from audit_entries'))[0]?.id as number;

/** Each range ends where the next begins; nothing is before the first or after the last. */
async function assertNoGap(): Promise<void> {
  for (const { table } of partitionedTables) {
    const found = await partitionsOf(tables, table);
    assert.equal(found[0]?.begins_at, null);
    assert.equal(found.at(-1)?.ends_before, null);
    for (const [n, { ends_before }] of found.slice(0, -1).entries())
      assert.equal(found[n + 1]?.begins_at, ends_before);
  }
}

// [D198]
describe('the upkeep of partitions', () => {
  it('knows every partitioned table of the schema and the sequence of its ids', async () => {
    const found = await sql<{ name: string }>(
      `select relname as name from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace order by 1`,
    );
    assert.deepEqual(
      found.map(({ name }) => name),
      partitionedTables.map(({ table }) => table).toSorted(),
    );
    for (const { sequence } of partitionedTables)
      assert.equal((await sql('select 1 from pg_sequences where sequencename = $1', [sequence])).length, 1);
  });

  it('leaves small and empty tables with their one partition', async () => {
    await addEntries(500);
    assert.deepEqual(await keepPartitions(database), { opened: [], postponed: [] });
    assert.equal((await partitionsOf(tables, 'audit_entries')).length, 1);
  });

  it('ends a partition far ahead of the ids in use, once, also when several processes do so at once', async () => {
    const used = await lastId();
    const runs = await Promise.all([1, 2, 3].map(() => keepPartitions(database, { leastBytes: 1 })));
    assert.deepEqual(
      runs.flatMap(({ opened }) => opened),
      ['audit_entries_p2'],
    );
    assert.ok(((await endOf(0)) as number) >= used + 1_000, `${await endOf(0)} after ${used}`);
    await assertNoGap();
    assert.deepEqual(await keepPartitions(database, { leastBytes: 1 }), { opened: [], postponed: [] });
  });

  it('ends the next partition as soon as it is used, regardless of its size', async () => {
    await useLastPartition(tables, 'audit_entries');
    await addEntries(3);
    assert.deepEqual((await keepPartitions(database)).opened, ['audit_entries_p3']);
    await assertNoGap();
    const rows = await sql<{ count: number }>('select count(*) as count from audit_entries');
    assert.equal(Number(rows[0]?.count), 503);
  });

  it('has a partition for any id, however old or large', async () => {
    assert.deepEqual(await addEntry(-7), [{ partition: 'audit_entries_p1' }]);
    assert.deepEqual(await addEntry(9_000_000_000_000), [{ partition: 'audit_entries_p3' }]);
  });

  it('takes an end back that rows are beyond, and inserts go on', async () => {
    await useLastPartition(tables, 'audit_entries');
    await assert.rejects(
      keepPartitions(database),
      (error) => sqlState(error) === '23514' && /audit_entries_p3_end/.test((error as Error).message),
    );
    assert.deepEqual(await addEntry(9_000_000_000_001), [{ partition: 'audit_entries_p3' }]);
    await sql('delete from audit_entries where id > 8000000000000');
    assert.deepEqual((await keepPartitions(database)).opened, []);
  });

  it('continues after it was stopped between two of its steps', async () => {
    await addEntries(3);
    assert.equal(await database.transaction((tx) => announcePartitionEnd(tx, audit, 1)), 'audit_entries_p3');
    await addEntries(3);
    assert.deepEqual((await keepPartitions(database)).opened, ['audit_entries_p4']);
    await assertNoGap();
  });

  it('does not wait for a reader for long, and continues when the reader is done', async () => {
    await useLastPartition(tables, 'audit_entries');
    await addEntries(3);
    await other.query('begin');
    await other.query('select count(*) from audit_entries');
    const waiting = keepPartitions(database, { attempts: 1 });
    assert.deepEqual(await waiting, { opened: [], postponed: ['audit_entries'] });
    await addEntries(3);
    await other.query('commit');
    assert.deepEqual((await keepPartitions(database)).opened, ['audit_entries_p5']);
    await assertNoGap();
  });
});
