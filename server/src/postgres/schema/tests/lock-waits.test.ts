// processes: waits until an upgrade says that it waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createDatabase } from '../../../../test/support/fresh-database.ts';
import { migrate } from '../migrate.ts';
import { firstFiles, schemaVersion } from './schema-folder.ts';

const first = await schemaVersion(1, firstFiles);

/** Holds a lock on the migrated database until an upgrade says that it waits. */
async function waitFor(lock: string): Promise<void> {
  const address = await createDatabase();
  await migrate(address, first);
  const holder = new pg.Client({ ...address, application_name: 'somebody' });
  await holder.connect();
  await holder.query('begin');
  await holder.query(lock);
  const cancelled = new AbortController();
  const changed = await schemaVersion(2, firstFiles, { 'routines/double.sql': null });
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const upgrade = migrate(address, changed, { onWait: resolve, cancelled: cancelled.signal });
  const startedAt = performance.now();
  await told;
  assert.ok(performance.now() - startedAt < 5_000, 'told within 5 s');
  cancelled.abort(new Error('stopped'));
  await assert.rejects(upgrade, { message: 'stopped' });
  await holder.query('rollback');
  assert.equal((await holder.query('select double(2)')).rows[0].double, 4, 'nothing was changed');
  await holder.end();
}

// [D185]
describe('an upgrade that waits for a lock', () => {
  for (const [what, lock] of [
    ['of another upgrade', 'select pg_advisory_lock(4217731)'],
    ['on a table that it changes', 'lock table schema_objects in share mode'],
  ] as const)
    it(`${what} says that it waits, and stops when it is cancelled`, () => waitFor(lock));
});
