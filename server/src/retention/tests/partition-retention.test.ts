import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { dropAuditEntries, makeAuditPartition } from '../../audit/audit-partition-store.ts';
import { addEntries, partitionsOf } from '../../audit/tests/audit-partitions.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { dayMs, retainOne } from './retain.ts';

const apps = await createTestApps();
const { sql, clock } = apps;
const other = new pg.Client(apps.address);
await other.connect();
apps.beforeClose(() => other.end());

const limit = () => new Date(clock.now() - 400 * dayMs);
const old = () => new Date(clock.now() - 500 * dayMs);
const partitions = () => partitionsOf(apps).then((found) => found.map(({ name }) => name));
const makePartition = (at: Date) => apps.database.transaction((tx) => makeAuditPartition(tx, at));

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
    const due = await makePartition(old());
    const partlyDue = await makePartition(limit());
    assert.equal(await addEntries(apps, old(), 50), due);
    await addEntries(apps, new Date(limit().getTime() - 1), 20);
    await addEntries(apps, new Date(limit().getTime() + 3_600_000), 4);
    await addEntries(apps, new Date(clock.now()), 6);
    assert.equal(await apps.database.transaction((tx) => dropAuditEntries(tx, limit(), 5)), 5);
    assert.equal(await countEntries(), 75);
    assert.equal((await retainOne(apps, 'audit', 400)).droppedRows, 65);
    assert.deepEqual(await partitions(), [partlyDue]);
    assert.deepEqual(await sql('select 1 from pg_class where relname = $1', [due]), []);
    assert.equal(await countEntries(), 10);
    await addEntries(apps, new Date(clock.now()));
    assert.equal((await ok(apps.admin.get('/audit'))).meta.total, 11);
  });

  it('drops row by row while a backup runs, and leaves the partition for the next run', async () => {
    const due = await makePartition(old());
    await addEntries(apps, old(), 8);
    await other.query('select pg_advisory_lock_shared(4217734, 0)');
    assert.equal((await retainOne(apps, 'audit', 400)).droppedRows, 8);
    assert.ok((await partitions()).includes(due as string));
    await other.query('select pg_advisory_unlock_shared(4217734, 0)');
    assert.equal((await retainOne(apps, 'audit', 400)).droppedRows, 0);
    assert.ok(!(await partitions()).includes(due as string));
  });
});
