import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { counterAt } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { WriteOutcome } from '../../api/reply.ts';
import { type ApiError, notFound } from '../../errors/api-error.ts';
import { TurnError } from '../../lib/turn-wait.ts';
import { isConnectionFailure } from '../../postgres/database-errors.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { WriteRunner } from '../run-writes.ts';
import { runTurn, withoutLock } from '../write-turn.ts';
import {
  breakConstraint,
  byName,
  outcomeOf,
  Queue as QueueOf,
  type QueueOptions,
  recordedKeys,
  type Sent,
  terminate,
} from './queue.ts';

const apps = await createTestApps({ poolSize: 4 });
const runner = new WriteRunner(apps.context, apps.metrics);

class Queue extends QueueOf {
  constructor(options: Partial<QueueOptions> = {}) {
    super({ writes: runner, ...options });
  }
}

const retries = () => counterAt(apps.metrics, 'brandport_transaction_retries_total', {});

describe('the queue of a brand and lock', () => {
  it('is served in order of arrival, requests of one subject one after another', async () => {
    const queue = new Queue();
    let running = 0;
    const slowly = async () => {
      running += 1;
      assert.equal(running, 1, 'another request of the subject was running');
      await new Promise(setImmediate);
      running -= 1;
    };
    const [a, b] = [{ subject: 'a', handle: slowly }, { subject: 'b' }];
    const [turn] = await queue.behindAnother({ a1: a, b1: b, a2: a, c1: { subject: 'c' }, a3: a, b2: b });
    const ofSubject = (subject: string) => turn?.filter((name) => name.startsWith(subject));
    assert.deepEqual(ofSubject('a'), ['a1', 'a2', 'a3']);
    assert.deepEqual(ofSubject('b'), ['b1', 'b2']);
    assert.deepEqual(queue.turns.length, 2);
  });

  it('gives a request without a subject its own turn, which nothing overtakes', async () => {
    const [a, b] = [{ subject: 'a' }, { subject: 'b' }];
    assert.deepEqual(await new Queue().behindAnother({ a1: a, a2: a, alone: {}, b1: b, a3: a, last: {} }), [
      ['a1', 'a2'],
      ['alone'],
      ['b1', 'a3'],
      ['last'],
    ]);
  });

  it('gives at most 16 requests a turn', async () => {
    const sent = Array.from({ length: 40 }, (_, n) => [`${n}`, { subject: `${n}` }]);
    const turns = await new Queue().behindAnother(Object.fromEntries(sent));
    assert.deepEqual(
      turns.map(({ length }) => length),
      [16, 16, 8],
    );
    assert.deepEqual(
      turns.flat(),
      sent.map(([name]) => name),
    );
  });

  it('keeps neither another brand nor the other lock waiting, nor a request without a lock', async () => {
    const queue = new Queue();
    const release = queue.hold();
    await new Queue().run('another brand');
    await new Queue({ brandId: queue.brandId, name: 'stock' }).run('another lock');
    await runner.run({
      ...queue.writeOf('dry'),
      lock: withoutLock,
      handle: async () => ({ status: 200, body: {} }),
    });
    assert.deepEqual(queue.turns, [['first']]);
    await release();
  });

  // [platform-76]
  it('does not keep another brand waiting for more than two turns, on a single connection', async () => {
    const { database, context, ...single } = await createTestApps({ poolSize: 1 });
    const writes = new WriteRunner(context, single.metrics);
    const [busy, other] = [new Queue({ writes }), new Queue({ writes })];
    const release = busy.hold();
    const waiting = Array.from({ length: 999 }, (_, n) => busy.run(`${n}`, { subject: `${n % 100}` }));
    void release();
    await waitFor('the turns of the busy brand', () => busy.turns.length > 2);
    for (let n = 0; n < 5; n += 1) {
      const before = busy.turns.length;
      await other.run(`${n}`);
      const turns = busy.turns.length - before;
      assert.ok(turns <= 2, `${turns} turns of the busy brand began meanwhile`);
    }
    assert.ok(busy.turns.flat().length < 1_000);
    await Promise.all(waiting);
  });

  it('refuses a request when 1,000 are waiting, but not that of another brand', async () => {
    const queue = new Queue();
    const release = queue.hold();
    const waiting = Array.from({ length: 1_000 }, (_, n) => queue.run(`${n}`, { subject: `${n}` }));
    await assert.rejects(queue.run('one more'), TurnError);
    assert.equal(byName(await new Queue().run('other')), 'other');
    await Promise.all([release(), ...waiting]);
    assert.equal(byName(await queue.run('later')), 'later');
  });

  it('forgets a request whose client leaves', async () => {
    const queue = new Queue();
    const release = queue.hold();
    const gone = new AbortController();
    const leaving = queue.run('leaving', { gone: gone.signal });
    const behind = queue.run('behind', { subject: 'a' });
    gone.abort(new Error('gone'));
    await assert.rejects(leaving, /gone/);
    await Promise.all([release(), behind]);
    assert.deepEqual(queue.turns, [['first'], ['behind']]);
  });

  it('is served on after a request that failed', async () => {
    const queue = new Queue();
    const fails = async () => {
      throw new Error('unexpected');
    };
    const sent = ['a', 'b'].map((name) => queue.run(name, { handle: fails }));
    assert.deepEqual((await Promise.allSettled(sent)).map(outcomeOf), ['failed', 'failed']);
    assert.equal(byName(await queue.run('later')), 'later');
  });
});

describe('requests of one turn', () => {
  const three = (queue: Queue, b: Sent) => {
    const release = queue.hold();
    const sent = { a: {}, b, c: {} };
    const all = Object.entries(sent).map(([name, each]) =>
      queue.run(name, { subject: name, key: `key-${name}`, ...each }),
    );
    return Promise.all([Promise.allSettled(all), release()]).then(([settled]) => settled.map(outcomeOf));
  };

  it('start before any of them is awaited', async () => {
    const queue = new Queue();
    const { promise, resolve } = Promise.withResolvers<void>();
    const release = queue.hold();
    const first = queue.run('a', { subject: 'a', handle: () => promise });
    const second = queue.run('b', { subject: 'b', handle: async () => resolve() });
    await Promise.all([release(), first, second]);
  });

  it('receive what they read, alone as together', async () => {
    const queue = new Queue();
    const reading = (name: string) =>
      runner.run({
        ...queue.writeOf(name, { subject: name }),
        read: async ({ brandId }) => `${name} of ${brandId}`,
        handle: async (_, read) => ({ status: 200, body: { name: read } }),
      });
    const read = await Promise.all(['alone', 'b', 'c'].map(reading));
    assert.deepEqual(
      read.map(byName),
      ['alone', 'b', 'c'].map((name) => `${name} of ${queue.brandId}`),
    );
  });

  it('are not affected by the refusal of one, whose key stays free', async () => {
    const queue = new Queue();
    const refused = async () => {
      throw notFound();
    };
    assert.deepEqual(await three(queue, { handle: refused }), ['a', 'not_found', 'c']);
    assert.deepEqual(queue.turns, [['first'], ['a', 'b', 'c']]);
    assert.deepEqual(await recordedKeys(apps, queue), ['key-a', 'key-c']);
    assert.equal(byName(await queue.run('again', { key: 'key-b' })), 'again');
  });

  const failures: Readonly<Record<string, (tx: Transaction) => Promise<unknown>>> = {
    'throws an unexpected error': async () => {
      throw new Error('unexpected');
    },
    'runs a statement that breaks a constraint': (tx) => tx.run(breakConstraint),
    'queues a statement that breaks a constraint': async (tx) => tx.queue(breakConstraint),
  };
  for (const [what, handle] of Object.entries(failures))
    it(`run alone after one ${what}, which fails alone`, async () => {
      const queue = new Queue();
      const before = await retries();
      assert.deepEqual(await three(queue, { handle }), ['a', 'failed', 'c']);
      assert.deepEqual(queue.turns, [['first'], ['a', 'b', 'c'], ['a'], ['b'], ['c']]);
      assert.deepEqual(await recordedKeys(apps, queue), ['key-a', 'key-c']);
      assert.equal(await retries(), before + 1);
    });

  it('run alone after the connection was lost', async () => {
    const queue = new Queue();
    let losses = 1;
    const handle = async (tx: Transaction) => {
      losses -= 1;
      if (losses === 0) await tx.run(terminate);
    };
    assert.deepEqual(await three(queue, { handle }), ['a', 'b', 'c']);
    assert.deepEqual(queue.turns, [['first'], ['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    assert.deepEqual(await recordedKeys(apps, queue), ['key-a', 'key-b', 'key-c']);
  });

  // [D43]
  it('all fail, and none runs again, if the connection is lost during the COMMIT', async () => {
    const queue = new Queue({ finish: ({ tx, turn }) => void (turn.length === 3 && tx.queue(terminate)) });
    assert.deepEqual(await three(queue, {}), ['failed', 'failed', 'failed']);
    assert.deepEqual(queue.turns, [['first'], ['a', 'b', 'c']]);
    assert.deepEqual(await recordedKeys(apps, queue), []);
    assert.equal(byName(await queue.run('b', { key: 'key-b' })), 'b');
  });
});

describe('a request alone in its turn', () => {
  it('runs again once if it breaks a constraint: another session may have changed what it read', async () => {
    const queue = new Queue();
    await assert.rejects(queue.run('a', { handle: (tx) => tx.run(breakConstraint) }), /sku_claims/);
    assert.deepEqual(queue.turns, [['a'], ['a']]);
  });

  it('does not run again after another error', async () => {
    const queue = new Queue();
    await assert.rejects(queue.run('a', { handle: async () => assert.fail('unexpected') }), /unexpected/);
    assert.deepEqual(queue.turns, [['a']]);
  });

  it('runs again if the connection is lost before the COMMIT, not during it', async () => {
    const before = new Queue();
    await before.run('a', { handle: async (tx) => before.turns.length === 1 && tx.run(terminate) });
    assert.deepEqual(before.turns, [['a'], ['a']]);
    const during = new Queue({ finish: ({ tx }) => tx.queue(terminate) });
    await assert.rejects(during.run('a'), isConnectionFailure);
    assert.deepEqual(during.turns, [['a']]);
  });
});

describe('the Idempotency-Key of a request', () => {
  const again = { subject: 'a', key: 'key', body: 'a' };

  it('is answered from its record, without the handler', async () => {
    const queue = new Queue();
    const first = await queue.run('a', again);
    const { replayed, response } = await queue.run('again', again);
    assert.deepEqual([replayed, response], [true, first.response]);
    assert.deepEqual(queue.turns.flat(), ['a']);
  });

  it('is refused with another body, and while the first request is waiting or running, without a turn', async () => {
    const queue = new Queue();
    await queue.run('a', again);
    await assert.rejects(queue.run('b', { key: 'key' }), { code: 'idempotency_key_reuse' });
    const release = queue.hold();
    const waiting = queue.run('waiting', { key: 'other' });
    await assert.rejects(queue.run('retry', { key: 'other', body: 'waiting' }), {
      code: 'idempotency_conflict',
    });
    assert.deepEqual(queue.turns.at(-1), ['first']);
    await Promise.all([release(), waiting]);
    assert.equal(
      outcomeOf(...(await Promise.allSettled([queue.run('retry', { key: 'other', body: 'waiting' })]))),
      'replayed',
    );
  });

  it('is refused while a request of another process runs', async () => {
    const [queue, writes] = [new Queue(), new WriteRunner(apps.context, apps.metrics)];
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = queue.run('a', { ...again, handle: () => promise });
    await waitFor('the first request', () => queue.turns.flat().length === 1);
    const elsewhere = new Queue({ writes, brandId: queue.brandId });
    await assert.rejects(elsewhere.run('b', again), { code: 'idempotency_conflict' });
    resolve();
    await first;
    assert.equal((await elsewhere.run('b', again)).replayed, true);
  });

  it('is claimed by the first of two requests in one turn', async () => {
    const queue = new Queue();
    const writes = [queue.writeOf('a', again), queue.writeOf('b', { ...again, subject: 'b' })] as const;
    const [a, b] = await apps.database.transaction((tx) => runTurn(tx, writes, apps.clock, { waits: true }));
    assert.equal(byName(a as WriteOutcome), 'a');
    assert.equal((b as ApiError).code, 'idempotency_conflict');
    assert.deepEqual(queue.turns, [['a']]);
  });

  it('is answered from its record while the queue is slow, without a turn', async () => {
    const queue = new Queue();
    await queue.run('a', again);
    const release = queue.hold();
    // The look-up takes the share of its brand: a large record makes those of no other brand long reads.
    const shares = mock.method(apps.context.database, 'forBrand');
    assert.equal((await queue.run('before it is known to be slow', again)).replayed, true);
    assert.equal((await queue.run('afterwards', again)).replayed, true);
    assert.equal(shares.mock.callCount(), 2);
    shares.mock.restore();
    await assert.rejects(queue.run('reuse', { key: 'key' }), { code: 'idempotency_key_reuse' });
    assert.deepEqual(queue.turns, [['a'], ['first']]);
    await release();
  });
});
