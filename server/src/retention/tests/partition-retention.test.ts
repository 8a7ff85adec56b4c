import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { dropAuditEntries } from '../../audit/drop-entries-store.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { endPartition, partitionsOf } from '../../postgres/partitions/tests/end-partition.ts';
import { dayMs, retainOne } from './retain.ts';

const apps = await createTestApps();
const { sql, clock } = apps;
const other = new pg.Client(apps.address);
await other.connect();
apps.beforeClose(() => other.end());

const limit = () => new Date(clock.now() - 400 * dayMs);
const old = () => new Date(clock.now() - 500 * dayMs);
const partitions = () => partitionsOf(apps, 'audit_entries').then((found) => found.map(({ name }) => name));

const addEntries = (count: number, at: Date) =>
  sql(
    `insert into audit_entries (at, action, resource_type, resource_id) select $2, 'test', 'test', n::text
     from generate_series(1, $1) n`,
    [count, at],
  );

async function countEntries(): Promise<number> {
  const [row] = await sql<{ count: number }>('select count(*) from audit_entries');
  return Number(row?.count);
}

beforeEach(async () => {
  await sql('update audit_entries set at = $1', [old()]);
  await retainOne(apps, 'audit', 400);
});

// [D198], [D199], [internal-55]
describe('the retention of a partitioned table', () => {
  it('drops a partition that is due, and single rows of one that is partly due', async () => {
    await addEntries(50, old());
    await endPartition(apps, 'audit_entries');
    await addEntries(20, old());
    await addEntries(10, new Date(clock.now()));
    // By id, not by place: each place of the first partition is one of the second, too.
    assert.equal(await apps.database.transaction((tx) => dropAuditEntries(tx, limit(), 5)), 5);
    assert.equal(await countEntries(), 75);
    const [dropped, next] = await partitions();
    assert.equal((await retainOne(apps, 'audit', 400)).droppedRows, 65);
    assert.deepEqual(await partitions(), [next]);
    assert.deepEqual(await sql('select 1 from pg_class where relname = $1', [dropped]), []);
    assert.equal(await countEntries(), 10);
    await addEntries(1, new Date(clock.now()));
    assert.equal((await ok(apps.admin.get('/audit'))).meta.total, 11);
  });

  it('drops row by row while a backup runs, and leaves the partition for the next run', async () => {
    await addEntries(8, old());
    await endPartition(apps, 'audit_entries');
    const before = await partitions();
    await other.query('select pg_advisory_lock_shared(4217734, 0)');
    assert.equal((await retainOne(apps, 'audit', 400)).droppedRows, 8);
    assert.deepEqual(await partitions(), before);
    await other.query('select pg_advisory_unlock_shared(4217734, 0)');
    await addEntries(1, new Date(clock.now()));
    assert.equal((await retainOne(apps, 'audit', 400)).droppedRows, 0);
    assert.deepEqual(await partitions(), before.slice(1));
  });
});
