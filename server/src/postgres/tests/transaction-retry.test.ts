import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { sqlState } from '../database-errors.ts';
import { statement } from '../statement.ts';
import type { Transaction } from '../transaction.ts';

const { database, sql } = await createTestDatabase();
await sql('create table counters (id integer primary key, value integer not null)');

const addOne = (tx: Transaction, id: number) =>
  tx.run(statement<never>('add_one', 'update counters set value = value + 1 where id = $1', [id]));
const valuesOf = async () =>
  (await sql<{ value: number }>('select value from counters order by id')).map(({ value }) => value);

/** Resolves once it was called as often as there are parties: all of them continue at the same time. */
function meeting(parties: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === parties) all.resolve();
    return all.promise;
  };
}

describe('transactions that wait for each other', () => {
  it('both succeed, and the loser runs again from the start', async () => {
    await sql('truncate counters; insert into counters values (1, 0), (2, 0)');
    const bothHoldOne = meeting(2);
    const retried: unknown[] = [];
    let runs = 0;
    const lockBoth = (first: number, second: number) =>
      database.transaction(
        async (tx) => {
          runs += 1;
          await addOne(tx, first);
          await bothHoldOne();
          await addOne(tx, second);
          return first;
        },
        { onRetry: (error) => retried.push(error) },
      );
    assert.deepEqual(await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]), [1, 2]);
    // On a busy machine the loser can be back before the winner has woken up, and lose again.
    assert.deepEqual([...new Set(retried.map(sqlState))], ['40P01']);
    assert.equal(runs, 2 + retried.length);
    assert.deepEqual(await valuesOf(), [2, 2]);
  });
});

describe('a transaction that fails', () => {
  it('leaves nothing behind, and its connection is fit for the next one', async () => {
    await sql('truncate counters; insert into counters values (1, 0)');
    for (let i = 0; i < 25; i += 1)
      await assert.rejects(
        database.transaction(async (tx) => {
          await addOne(tx, 1);
          if (i % 2 === 0) throw new Error('on purpose');
          await tx.run(statement('no_such_table', 'select 1 from no_such_table'));
        }),
        /on purpose|no_such_table/,
      );
    assert.deepEqual(await valuesOf(), [0]);
    await database.transaction((tx) => addOne(tx, 1));
    assert.deepEqual(await valuesOf(), [1]);
    assert.equal(database.pool.waitingCount, 0);
  });

  it('is not run again for what would only fail again', async () => {
    let runs = 0;
    await assert.rejects(
      database.transaction(async (tx) => {
        runs += 1;
        await tx.run(statement('twice_the_same', 'insert into counters values (7, 0), (7, 0)'));
      }),
      (error) => sqlState(error) === '23505',
    );
    assert.equal(runs, 1);
  });

  it('is given up after the attempts that it was allowed', async () => {
    let runs = 0;
    const fails = database.transaction(
      async (tx) => {
        runs += 1;
        await tx.run(
          statement(
            'serialization_failure',
            `do $$ begin raise exception 'again' using errcode = '40001'; end $$`,
          ),
        );
      },
      { attempts: 3 },
    );
    await assert.rejects(fails, (error) => sqlState(error) === '40001');
    assert.equal(runs, 3);
  });
});
