import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { statement } from '../statement.ts';
import { newHeldTable } from './held-table.ts';

const { database, sql, whileHeld } = await newHeldTable();

const countHeld = (long: boolean) =>
  statement<{ n: number }>('count_held', 'select count(*)::integer as n from held', [], { long });
const one = statement<{ one: number }>('one', 'select 1 as one');

const waiting = () =>
  waitFor('the count to wait for the table', async () => {
    const rows = await sql(`select 1 from pg_locks where relation = 'held'::regclass and not granted`);
    return rows.length > 0;
  });

describe('a statement that has to wait', () => {
  it('holds up no other read when it is long', async () => {
    let count: Promise<{ n: number }[]> | undefined;
    await whileHeld(async () => {
      count = database.run(countHeld(true));
      await waiting();
      assert.deepEqual(await database.run(one), [{ one: 1 }]);
    });
    assert.deepEqual(await count, [{ n: 0 }]);
  });

  it('runs in the transaction that it is given, long or not', async () => {
    await sql('truncate held');
    const counts = await database.transaction(async (tx) => {
      await tx.run(statement('insert_held', 'insert into held values (1)'));
      return [await tx.run(countHeld(true)), await tx.run(countHeld(false))];
    });
    assert.deepEqual(counts, [[{ n: 1 }], [{ n: 1 }]]);
  });
});
