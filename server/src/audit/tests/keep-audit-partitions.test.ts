import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { keepAuditPartitions } from '../keep-audit-partitions.ts';
import { addEntries, partitionsOf } from './audit-partitions.ts';

const tables = await createTestDatabase();
const { database, sql } = tables;
const other = new pg.Client(tables.address);
await other.connect();
tables.beforeClose(() => other.end());

const lastOfNovember = Date.UTC(2030, 10, 30, 23, 59, 59, 999);
const none = { made: [], isPostponed: false };
const countEntries = async () =>
  (await sql<{ count: number }>('select count(*)::integer as count from audit_entries'))[0]?.count;

// [D198]
describe('the upkeep of the partitions of the audit', () => {
  it('makes the month and the two after it, once, also when several processes do so at once', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => keepAuditPartitions(database, lastOfNovember)));
    assert.deepEqual(runs.flatMap(({ made }) => made).sort(), [
      'audit_entries_2030_11',
      'audit_entries_2030_12',
      'audit_entries_2031_01',
    ]);
    assert.deepEqual(await keepAuditPartitions(database, lastOfNovember), none);
    assert.deepEqual(
      (await partitionsOf(tables)).map(({ from, to }) => [from, to]),
      [
        ['2030-11-01', '2030-12-01'],
        ['2030-12-01', '2031-01-01'],
        ['2031-01-01', '2031-02-01'],
      ],
    );
  });

  it('stores an entry with its month in UTC, and one of any other month in the default partition', async () => {
    assert.equal(await addEntries(tables, new Date(lastOfNovember)), 'audit_entries_2030_11');
    assert.equal(await addEntries(tables, new Date(lastOfNovember + 1)), 'audit_entries_2030_12');
    assert.equal(await addEntries(tables, new Date(0)), 'audit_entries_default');
    assert.equal(await addEntries(tables, new Date('2031-05-17T12:00:00Z'), 3), 'audit_entries_default');
  });

  it('moves the entries of a month that it was late for', async () => {
    const { made } = await keepAuditPartitions(database, Date.UTC(2031, 4, 31));
    assert.deepEqual(made, ['audit_entries_2031_05', 'audit_entries_2031_06', 'audit_entries_2031_07']);
    const left = await sql('select at::date::text as at from audit_entries_default');
    assert.deepEqual(left, [{ at: '1970-01-01' }]);
    assert.equal(await countEntries(), 6);
  });

  it('does not wait for a reader for long, and continues when the reader is done', async () => {
    const later = Date.UTC(2032, 0, 1);
    await other.query('begin');
    await other.query('select count(*) from audit_entries');
    const postponed = await keepAuditPartitions(database, later, { attempts: 1 });
    assert.deepEqual(postponed, { made: [], isPostponed: true });
    await addEntries(tables, new Date(later));
    await other.query('commit');
    assert.equal((await keepAuditPartitions(database, later)).made.length, 3);
    assert.equal(await countEntries(), 7);
  });
});
