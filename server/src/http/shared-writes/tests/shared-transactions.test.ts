import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TurnError } from '../../../postgres/turn-error.ts';
import { SharedTransactions } from '../shared-transactions.ts';

/** A transaction that ends when the test says so. */
interface Started {
  readonly values: readonly number[];
  readonly commit: () => void;
  readonly fail: (error: unknown, isDecided?: boolean) => void;
}

function sharing(maxRequests = 3) {
  const started: Started[] = [];
  const transactions = new SharedTransactions<number, number>({
    maxRequests,
    limitMs: 60_000,
    slowMs: 20,
    run: (values, onDecided) =>
      new Promise((resolve, reject) => {
        started.push({
          values,
          commit: () => resolve(values.map((value) => value * 10)),
          fail: (error, isDecided = false) => {
            if (isDecided) onDecided();
            reject(error);
          },
        });
      }),
  });
  const run = (value: number, brandId = 1) => transactions.run({ brandId, value });
  return { started, run, transactions };
}

const turn = () => new Promise(setImmediate);
const lost = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

describe('requests that share transactions', () => {
  it('go together when they arrive together, or while another transaction is under way', async () => {
    const { started, run } = sharing();
    const first = [run(1), run(2)];
    await turn();
    assert.deepEqual(started[0]?.values, [1, 2]);
    const later = [run(3), run(4), run(5), run(6)];
    await turn();
    assert.equal(started.length, 1);
    started[0]?.commit();
    assert.deepEqual(await Promise.all(first), [10, 20]);
    await turn();
    assert.deepEqual(started[1]?.values, [3, 4, 5]);
    started[1]?.commit();
    await Promise.all(later.slice(0, 3));
    await turn();
    assert.deepEqual(started[2]?.values, [6]);
    started[2]?.commit();
    assert.equal(await later[3], 60);
  });

  it('leave half to the transaction after the next, while the clients of the last may send others', async () => {
    const { started, run } = sharing(8);
    const first = run(1);
    await turn();
    const waiting = [2, 3, 4, 5, 6, 7].map((value) => run(value));
    started[0]?.commit();
    // The next transaction has started before the response is sent.
    await first;
    assert.deepEqual(started[1]?.values, [2, 3, 4, 5]);
    const again = run(8);
    started[1]?.commit();
    await waiting[3];
    assert.deepEqual(started[2]?.values, [6, 7, 8]);
    started[2]?.commit();
    assert.deepEqual(await Promise.all([...waiting, again]), [20, 30, 40, 50, 60, 70, 80]);
  });

  it('do not wait for a transaction that is slow, and at most three run at a time', async () => {
    const { started, run } = sharing(1);
    const all = [1, 2, 3, 4].map((value) => run(value));
    const startedCount = async (count: number) => {
      while (started.length < count) await turn();
    };
    await startedCount(3);
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(started.length, 3);
    started[1]?.commit();
    await startedCount(4);
    for (const { commit } of started) commit();
    assert.deepEqual(await Promise.all(all), [10, 20, 30, 40]);
  });

  it('are run alone when the transaction fails before it is committed', async () => {
    const { started, run } = sharing();
    const both = [run(1), run(2)];
    await turn();
    started[0]?.fail(lost());
    assert.deepEqual(await Promise.all(both), ['alone', 'alone']);
    const refused = run(3);
    await turn();
    // PostgreSQL refused the COMMIT: it is certain that nothing was written.
    started[1]?.fail(new Error('deferred'), true);
    assert.equal(await refused, 'alone');
  });

  it('fail together when the answer to COMMIT was lost', async () => {
    const { started, run } = sharing();
    const both = [run(1), run(2)];
    await turn();
    const error = lost();
    started[0]?.fail(error, true);
    for (const one of both) await assert.rejects(one, error);
  });

  it('fail together when there was no connection in time', async () => {
    const { started, run } = sharing();
    const both = [run(1), run(2)];
    await turn();
    const error = new TurnError('no turn within 5000 ms');
    started[0]?.fail(error);
    for (const one of both) await assert.rejects(one, error);
  });

  it('leave the line when their client is gone', async () => {
    const { started, run, transactions } = sharing();
    const first = run(1);
    await turn();
    const client = new AbortController();
    const gone = transactions.run({ brandId: 1, value: 2, gone: () => client.signal });
    client.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    started[0]?.commit();
    await first;
    await turn();
    assert.equal(started.length, 1);
    assert.equal(transactions.waiting, 0);
  });
});
