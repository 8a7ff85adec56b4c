// processes: waits until connections are lost
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { isConnectionFailure } from '../database-errors.ts';
import { statement } from '../statement.ts';

const { database, sql } = await createTestDatabase();

const vital = { vital: true };
const whoAmI = statement<{ pid: number }>('who_am_i', 'select pg_backend_pid() as pid', [], vital);
const slowly = statement<{ answer: number }>('slowly', 'select pg_sleep(0.3), 42 as answer', [], vital);
const untilTerminated = statement<never>('until_terminated', 'select pg_sleep(60)');
const terminate = (pid: number) => sql('select pg_terminate_backend($1)', [pid]);
const isGone = async (pid: number) =>
  (await sql('select from pg_stat_activity where pid = $1', [pid])).length === 0;
const isBusy = async (pid: number) =>
  (await sql(`select from pg_stat_activity where pid = $1 and state = 'active'`, [pid])).length === 1;

async function readConnectionPid(): Promise<number> {
  const [row] = await database.run(whoAmI);
  return row?.pid ?? 0;
}

describe('the shared connection for reads', () => {
  it('is replaced when it was lost while nobody asked', async () => {
    const pid = await readConnectionPid();
    await terminate(pid);
    await waitFor('the connection to be gone', () => isGone(pid));
    const answers = await Promise.all(Array.from({ length: 10 }, () => readConnectionPid()));
    assert.equal(new Set(answers).size, 1);
    assert.notEqual(answers[0], pid);
  });

  it('asks again on a new connection what was under way, and what was waiting behind it', async () => {
    for (let round = 0; round < 3; round += 1) {
      const pid = await readConnectionPid();
      const reads = Promise.all(Array.from({ length: 4 }, () => database.run(slowly)));
      await waitFor('the first read to run', () => isBusy(pid));
      await terminate(pid);
      assert.deepEqual(
        (await reads).map(([row]) => row?.answer),
        [42, 42, 42, 42],
      );
      assert.notEqual(await readConnectionPid(), pid);
    }
  });

  it('does not take a statement that is wrong for a lost connection', async () => {
    const pid = await readConnectionPid();
    await assert.rejects(
      database.run(statement('no_such_column', 'select no_such_column')),
      (error) => !isConnectionFailure(error),
    );
    assert.equal(await readConnectionPid(), pid);
  });
});

describe('a transaction whose connection is lost', () => {
  it('runs again on another connection, since nothing was committed', async () => {
    const pids: number[] = [];
    const running = database.transaction(async (tx) => {
      const [row] = await tx.run(whoAmI);
      pids.push(row?.pid ?? 0);
      return tx.run(pids.length === 1 ? untilTerminated : slowly);
    });
    await waitFor('the statement to run', async () => pids[0] !== undefined && isBusy(pids[0]));
    await terminate(pids[0] as number);
    assert.deepEqual(await running, [{ pg_sleep: '', answer: 42 }]);
    assert.equal(new Set(pids).size, 2);
  });

  it('fails as a lost connection when every run loses its own, between two statements', async () => {
    let runs = 0;
    const lost = database.transaction(async (tx) => {
      runs += 1;
      const [row] = await tx.run(whoAmI);
      await terminate(row?.pid ?? 0);
      await waitFor('the connection to be gone', () => isGone(row?.pid ?? 0));
      await tx.run(whoAmI);
    });
    await assert.rejects(lost, isConnectionFailure);
    assert.equal(runs, 3);
    assert.equal((await database.transaction((tx) => tx.run(whoAmI))).length, 1);
  });

  it('is not run again once COMMIT was sent: it may have been done', async () => {
    await sql(`create table commits (id integer);
      create function sleep_at_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(5); return null; end $$;
      create constraint trigger sleeps after insert on commits deferrable initially deferred
        for each row execute function sleep_at_commit()`);
    let runs = 0;
    let pid = 0;
    const lost = database.transaction(async (tx) => {
      runs += 1;
      pid = (await tx.run(whoAmI))[0]?.pid ?? 0;
      await tx.run(statement<never>('insert_commit', 'insert into commits values (1)'));
    });
    const refused = assert.rejects(lost, isConnectionFailure);
    const isCommitting = async () =>
      (await sql(`select from pg_stat_activity where pid = $1 and query = 'commit'`, [pid])).length === 1;
    await waitFor('the COMMIT to run', isCommitting);
    await terminate(pid);
    await refused;
    assert.equal(runs, 1);
  });
});
