import { createTestDatabase } from '../../../test/support/test-database.ts';

/** Creates a database with a table `held`; `whileHeld` runs work while nobody else can read it. */
export async function newHeldTable() {
  const test = await createTestDatabase();
  await test.sql('create table held (id integer)');
  const whileHeld = async (work: () => Promise<void>): Promise<void> => {
    const holder = await test.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table held in access exclusive mode');
      await work();
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  };
  return { ...test, whileHeld };
}
