import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../test/kit/test-database.ts';
import { waitFor } from '../../test/kit/wait-for.ts';
import { isConnectionFailure } from './sqlstate.ts';
import { statement } from './statement.ts';

const { database, sql } = await createTestDatabase();

const whoAmI = statement<{ pid: number }>('who_am_i', 'select pg_backend_pid() as pid');
const slowly = statement<{ answer: number }>('slowly', 'select pg_sleep(0.3), 42 as answer');
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
  it('fails as a lost connection while a statement runs, and the next one gets another connection', async () => {
    const pid = Promise.withResolvers<number>();
    const lost = database.transaction(async (tx) => {
      const [row] = await tx.run(whoAmI);
      pid.resolve(row?.pid ?? 0);
      await tx.run(slowly);
    });
    const refused = assert.rejects(lost, isConnectionFailure);
    await waitFor('the statement to run', async () => isBusy(await pid.promise));
    await terminate(await pid.promise);
    await refused;
    const [next] = await database.transaction((tx) => tx.run(whoAmI));
    assert.notEqual(next?.pid, await pid.promise);
  });

  it('fails in the same way between two statements, and the process lives on', async () => {
    const lost = database.transaction(async (tx) => {
      const [row] = await tx.run(whoAmI);
      await terminate(row?.pid ?? 0);
      await waitFor('the connection to be gone', () => isGone(row?.pid ?? 0));
      await tx.run(whoAmI);
    });
    await assert.rejects(lost, isConnectionFailure);
    assert.equal((await database.transaction((tx) => tx.run(whoAmI))).length, 1);
  });
});
