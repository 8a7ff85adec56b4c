import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { sqlState } from '../database-errors.ts';
import { statement } from '../statement.ts';

const { database, sql } = await createTestApps();
await sql('create table pipelined (id integer primary key)');

const insert = (id: number) =>
  statement<{ id: number }>('pipelined_insert', 'insert into pipelined (id) values ($1) returning id', [id]);
const count = statement<{ n: number }>('pipelined_count', 'select count(*)::integer as n from pipelined');
const kept = async () => (await database.run(count))[0]?.n;
const uniqueViolation = '23505';

describe('a statement that is sent without waiting', () => {
  it('runs before what is run after it, and commits with it', async () => {
    const seen = await database.transaction(async (tx) => {
      tx.queue(insert(1));
      tx.queue(insert(2));
      return (await tx.run(count))[0]?.n;
    });
    assert.equal(seen, 2);
    assert.equal(await kept(), 2);
  });

  it('commits also when nothing is run after it', async () => {
    await database.transaction(async (tx) => tx.queue(insert(3)));
    assert.equal(await kept(), 3);
  });

  it('fails what is run next with its own error, not with that of the aborted transaction', async () => {
    const failing = database.transaction(async (tx) => {
      tx.queue(insert(4));
      tx.queue(insert(1));
      tx.queue(insert(5));
      await tx.run(count);
    });
    await assert.rejects(failing, (error) => sqlState(error) === uniqueViolation);
    assert.equal(await kept(), 3);
  });

  it('fails the commit, and nothing is kept', async () => {
    const failing = database.transaction(async (tx) => {
      tx.queue(insert(4));
      tx.queue(insert(1));
      return 'answered';
    });
    await assert.rejects(failing, (error) => sqlState(error) === uniqueViolation);
    assert.equal(await kept(), 3);
  });

  it('is rolled back when the work throws before it has left', async () => {
    const failing = database.transaction(async (tx) => {
      tx.queue(insert(4));
      throw new Error('changed its mind');
    });
    await assert.rejects(failing, /changed its mind/);
    assert.equal(await kept(), 3);
  });

  it('leaves a connection that is fit for the next transaction', async () => {
    for (let n = 0; n < 30; n += 1)
      await assert.rejects(database.transaction(async (tx) => tx.queue(insert(1))));
    assert.equal(await database.transaction(async (tx) => (await tx.run(count))[0]?.n), 3);
  });
});
