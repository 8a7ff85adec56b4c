import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createDatabase } from '../../../../test/support/fresh-database.ts';
import { migrate } from '../migrate.ts';
import { firstFiles, schemaVersion } from './schema-folder.ts';

const first = await schemaVersion(1, firstFiles);

/** Holds a lock on the migrated database, and returns what an upgrade reports of it within 5 s. */
async function waitReport(lock: string): Promise<{ pid: number; holders: string }> {
  const address = await createDatabase();
  await migrate(address, first);
  const holder = new pg.Client({ ...address, application_name: 'somebody' });
  await holder.connect();
  await holder.query('begin');
  await holder.query(lock);
  const { rows } = await holder.query('select pg_backend_pid() as pid');
  const cancelled = new AbortController();
  const changed = await schemaVersion(2, firstFiles, { 'routines/double.sql': null });
  const { promise: reported, resolve } = Promise.withResolvers<string>();
  const upgrade = migrate(address, changed, { report: resolve, cancelled: cancelled.signal });
  const startedAt = performance.now();
  const holders = await reported;
  assert.ok(performance.now() - startedAt < 5_000, 'reported within 5 s');
  cancelled.abort(new Error('stopped'));
  await assert.rejects(upgrade, { message: 'stopped' });
  await holder.query('rollback');
  assert.equal((await holder.query('select double(2)')).rows[0].double, 4, 'nothing was changed');
  await holder.end();
  return { pid: rows[0].pid, holders };
}

// [D185]
describe('an upgrade that waits for a lock', () => {
  for (const [what, lock] of [
    ['of another upgrade', 'select pg_advisory_lock(4217731)'],
    ['on a table that it changes', 'lock table schema_objects in share mode'],
  ] as const)
    it(`${what} reports who holds it, and stops when it is cancelled`, async () => {
      const { pid, holders } = await waitReport(lock);
      assert.match(
        holders,
        new RegExp(`^pid ${pid} \\(somebody, (idle in transaction, )?since 20\\d\\d-\\S+Z\\)$`),
      );
    });
});
