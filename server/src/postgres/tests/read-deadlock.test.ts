import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { statement } from '../statement.ts';

const { address, database, sql } = await createTestDatabase();
await sql('create table first_one (id integer)');
await sql('create table second_one (id integer)');
const read = statement<{ n: number }>(
  'read_both',
  'select (select count(*) from first_one) + (select count(*) from second_one) as n',
);

/** Locks both tables in the order opposite to the read's. Answers whether the read was ended for it. */
async function meetMigration(ask: () => Promise<{ n: number }[]>): Promise<boolean> {
  const migration = new pg.Client(address);
  await migration.connect();
  try {
    await migration.query('begin');
    await migration.query('lock table second_one in access exclusive mode');
    const reading = ask();
    reading.catch(() => {});
    await waitFor('the read to wait', async () => {
      const rows = await sql(
        `select 1 from pg_locks where relation = 'second_one'::regclass and not granted`,
      );
      return rows.length > 0;
    });
    const isReadEnded = await migration.query('lock table first_one in access exclusive mode').then(
      () => true,
      () => false,
    );
    await migration.query('rollback');
    assert.deepEqual(await reading, [{ n: 0 }]);
    return isReadEnded;
  } finally {
    await migration.end();
  }
}

for (const [name, ask] of [
  ['a short read', () => database.run(read)],
  ['a long read', () => database.run({ ...read, long: true })],
] as const)
  it(`${name} that loses a deadlock with a migration is asked again, and succeeds`, async () => {
    await waitFor('the read to be the one that is ended', () => meetMigration(ask), 60_000);
  });
