import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { briefLockWaits, statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { WriteRunner } from '../run-writes.ts';
import { begun, breakConstraint, byName, outcomeOf, Queue, recordedKeys, terminate } from './queue.ts';

const apps = await createTestApps({ poolSize: 10 });

/** Keeps all turns busy until the returned function is called, so that requests of several brands wait for one. */
function behindTurns(writes: WriteRunner): () => Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const handle = () => promise;
  const busy = ['first', 'second'].map((name) => new Queue({ writes }).run(name, { subject: name, handle }));
  return () => {
    resolve();
    return Promise.all(busy);
  };
}

/** The requests of each transaction, by the letter that names their queue and the number that names the turn. */
function sharedBy(queues: Readonly<Record<string, Queue>>): string[] {
  const turns = new Map<Transaction, string>();
  for (const [name, queue] of Object.entries(queues))
    for (const [n, tx] of queue.transactions.entries())
      turns.set(tx, (turns.get(tx) ?? '') + name.repeat(queue.turns[n]?.length ?? 0));
  return [...turns.values()];
}

describe('a turn of several brands', () => {
  const someOf = (queue: Queue, count: number) =>
    Array.from({ length: count }, (_, n) => queue.run(`${n}`, { subject: `${n}` }));

  it('takes four of each queue in rotation, and more where no other waits', async () => {
    const writes = new WriteRunner(apps.context, apps.metrics);
    const [a, b, c] = [new Queue({ writes }), new Queue({ writes }), new Queue({ writes })];
    const release = behindTurns(writes);
    const all = [...someOf(a, 20), ...someOf(b, 2), ...someOf(c, 5)];
    await Promise.all([release(), ...all]);
    const names = Array.from({ length: 9 }, (_, n) => `${n}`);
    assert.deepEqual(a.turns[0], names);
    assert.deepEqual(
      [a, b, c].map(({ turns }) => turns.map(({ length }) => length)),
      [[9, 11], [2], [5]],
    );
    assert.deepEqual(sharedBy({ a, b, c }), ['aaaaaaaaabbccccc', 'aaaaaaaaaaa']);
  });

  it('comes to each queue before another one has a second', async () => {
    const writes = new WriteRunner(apps.context, apps.metrics);
    const queues = Array.from({ length: 10 }, () => new Queue({ writes }));
    const release = behindTurns(writes);
    const all = queues.flatMap((queue) => someOf(queue, 8));
    await Promise.all([release(), ...all]);
    const places = queues.map((queue) => queue.transactions.map((tx) => begun.indexOf(tx)));
    const [firsts, seconds] = [0, 1].map((n) => places.map((ofQueue) => ofQueue[n] as number));
    assert.ok(
      Math.max(...(firsts as number[])) <= Math.min(...(seconds as number[])),
      JSON.stringify(places),
    );
    for (const { turns } of queues)
      assert.deepEqual(
        turns.map(({ length }) => length),
        [4, 4],
      );
  });

  it('leaves out a brand that is locked elsewhere, whose requests wait in a transaction of their own', async () => {
    const writes = new WriteRunner(apps.context, apps.metrics);
    const [free, locked] = [new Queue({ writes }), new Queue({ writes })];
    const { promise, resolve } = Promise.withResolvers<void>();
    locked.isFree = promise;
    const release = behindTurns(writes);
    const waiting = someOf(locked, 6);
    const others = someOf(free, 6);
    await Promise.all([release(), ...others]);
    assert.deepEqual([free.turns.flat().length, locked.turns], [6, []]);
    // All that arrive meanwhile wait behind them, in order.
    const more = [locked.run('more', { subject: 'more' }), locked.run('alone')];
    assert.equal(byName(await free.run('later', { subject: 'a' })), 'later');
    locked.isFree = null;
    resolve();
    await Promise.all([...waiting, ...more]);
    assert.deepEqual(locked.turns, [['0', '1', '2', '3', '4', '5'], ['more'], ['alone']]);
  });

  it('answers what the keys decide, also of a brand that is locked elsewhere', async () => {
    const writes = new WriteRunner(apps.context, apps.metrics);
    const locked = new Queue({ writes });
    await locked.run('a', { subject: 'a', key: 'key' });
    locked.isFree = Promise.withResolvers<void>().promise;
    const retry = locked.run('retry', { subject: 'a', key: 'key', body: 'a' });
    assert.equal((await retry).replayed, true);
    await assert.rejects(locked.run('b', { subject: 'a', key: 'key' }), { code: 'idempotency_key_reuse' });
    assert.deepEqual(locked.turns, [['a']]);
  });

  it('lets each brand run alone after one request failed, and the other requests of its brand after that', async () => {
    const writes = new WriteRunner(apps.context, apps.metrics);
    const [a, b] = [new Queue({ writes }), new Queue({ writes })];
    const release = behindTurns(writes);
    const broken = a.run('broken', { subject: 'x', key: 'x', handle: (tx) => tx.run(breakConstraint) });
    const all = [...someOf(a, 2), broken, ...someOf(b, 2)];
    const [settled] = await Promise.all([Promise.allSettled(all), release()]);
    assert.deepEqual(settled.map(outcomeOf), ['0', '1', 'failed', '0', '1']);
    assert.deepEqual(sharedBy({ a, b }), ['aaabb', 'aaa', 'a', 'a', 'a', 'bb']);
    assert.deepEqual(await recordedKeys(apps, a), []);
  });

  it('runs again by brand if the connection is lost before the COMMIT, and fails as a whole during it', async () => {
    const writes = new WriteRunner(apps.context, apps.metrics);
    let losses = 1;
    const lose = async (tx: Transaction) => {
      losses -= 1;
      if (losses === 0) await tx.run(terminate);
    };
    const [a, b] = [new Queue({ writes }), new Queue({ writes })];
    const [first, second] = [
      behindTurns(writes),
      [a.run('a', { subject: 'a', handle: lose }), ...someOf(b, 2)],
    ];
    await Promise.all([first(), ...second]);
    assert.deepEqual(sharedBy({ a, b }), ['abb', 'a', 'bb']);

    const c = new Queue({ writes, finish: ({ tx }) => tx.queue(terminate) });
    const d = new Queue({ writes });
    const release = behindTurns(writes);
    const keyed = (queue: Queue) => queue.run('k', { subject: 'k', key: 'k' });
    const lost = Promise.allSettled([keyed(c), keyed(d)]);
    await release();
    assert.deepEqual((await lost).map(outcomeOf), ['failed', 'failed']);
    assert.deepEqual(sharedBy({ c, d }), ['cd']);
    assert.deepEqual([await recordedKeys(apps, c), await recordedKeys(apps, d)], [[], []]);
  });

  it('does not wait for a row that another session holds: the brand does, alone', async () => {
    const writes = new WriteRunner(apps.context, apps.metrics);
    const { brandId } = await apps.newBrand();
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('select from brand_stocks where brand_id = $1 for update', [brandId]);
    const touch = statement<never>(
      'test_touch_stock',
      'update brand_stocks set version = version where brand_id = $1',
      [brandId],
    );
    const brief = statement<never>('test_brief_waits', `select ${briefLockWaits}`);
    const [held, free] = [new Queue({ writes }), new Queue({ writes })];
    const release = behindTurns(writes);
    let isBrief = true;
    const waits = async (tx: Transaction) => {
      if (isBrief) await tx.run(brief);
      isBrief = false;
      await tx.run(touch);
    };
    const waiting = held.run('held', { subject: 'a', handle: waits });
    const others = someOf(free, 2);
    await Promise.all([release(), ...others]);
    assert.equal(byName(await free.run('later', { subject: 'a' })), 'later');
    await holder.query('rollback');
    holder.release();
    assert.equal(byName(await waiting), 'held');
    assert.deepEqual(held.turns, [['held'], ['held']]);
  });

  it('forgets a request whose client leaves, also the only one that waits', async () => {
    const writes = new WriteRunner(apps.context, apps.metrics);
    const [a, b] = [new Queue({ writes }), new Queue({ writes })];
    const release = behindTurns(writes);
    const gone = new AbortController();
    const leaving = [
      a.run('1', { subject: 'a', gone: gone.signal }),
      b.run('1', { subject: 'a', gone: gone.signal }),
    ];
    const alone = a.run('alone');
    gone.abort(new Error('gone'));
    const settled = await Promise.allSettled(leaving);
    assert.deepEqual(settled.map(outcomeOf), ['failed', 'failed']);
    await Promise.all([release(), alone]);
    assert.deepEqual([a.turns, b.turns], [[['alone']], []]);
    assert.equal(byName(await b.run('later', { subject: 'a' })), 'later');
  });
});
