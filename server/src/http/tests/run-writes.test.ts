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
  Line as LineOf,
  type LineOptions,
  outcomeOf,
  recordedKeys,
  type Sent,
  terminate,
} from './line.ts';

const apps = await createTestApps({ poolSize: 4 });
const runner = new WriteRunner(apps.context, apps.metrics);

class Line extends LineOf {
  constructor(options: Partial<LineOptions> = {}) {
    super({ writes: runner, ...options });
  }
}

const retries = () => counterAt(apps.metrics, 'brandport_transaction_retries_total', {});

describe('the line of a brand and lock', () => {
  it('is served in order of arrival, requests of one subject one after another', async () => {
    const line = new Line();
    let running = 0;
    const slowly = async () => {
      running += 1;
      assert.equal(running, 1, 'another request of the subject was running');
      await new Promise(setImmediate);
      running -= 1;
    };
    const [a, b] = [{ subject: 'a', handle: slowly }, { subject: 'b' }];
    const [turn] = await line.behindAnother({ a1: a, b1: b, a2: a, c1: { subject: 'c' }, a3: a, b2: b });
    const ofSubject = (subject: string) => turn?.filter((name) => name.startsWith(subject));
    assert.deepEqual(ofSubject('a'), ['a1', 'a2', 'a3']);
    assert.deepEqual(ofSubject('b'), ['b1', 'b2']);
    assert.deepEqual(line.turns.length, 2);
  });

  it('gives a request without a subject its own turn, which nothing overtakes', async () => {
    const [a, b] = [{ subject: 'a' }, { subject: 'b' }];
    assert.deepEqual(await new Line().behindAnother({ a1: a, a2: a, alone: {}, b1: b, a3: a, last: {} }), [
      ['a1', 'a2'],
      ['alone'],
      ['b1', 'a3'],
      ['last'],
    ]);
  });

  it('gives at most 16 requests a turn', async () => {
    const sent = Array.from({ length: 40 }, (_, n) => [`${n}`, { subject: `${n}` }]);
    const turns = await new Line().behindAnother(Object.fromEntries(sent));
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
    const line = new Line();
    const release = line.hold();
    await new Line().run('another brand');
    await new Line({ brandId: line.brandId, name: 'stock' }).run('another lock');
    await runner.run({
      ...line.writeOf('dry'),
      lock: withoutLock,
      handle: async () => ({ status: 200, body: {} }),
    });
    assert.deepEqual(line.turns, [['first']]);
    await release();
  });

  // [platform-76]
  it('does not keep another brand waiting for more than two turns, on a single connection', async () => {
    const { database, context, ...single } = await createTestApps({ poolSize: 1 });
    const writes = new WriteRunner(context, single.metrics);
    const [busy, other] = [new Line({ writes }), new Line({ writes })];
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
    const line = new Line();
    const release = line.hold();
    const waiting = Array.from({ length: 1_000 }, (_, n) => line.run(`${n}`, { subject: `${n}` }));
    await assert.rejects(line.run('one more'), TurnError);
    assert.equal(byName(await new Line().run('other')), 'other');
    await Promise.all([release(), ...waiting]);
    assert.equal(byName(await line.run('later')), 'later');
  });

  it('forgets a request whose client leaves', async () => {
    const line = new Line();
    const release = line.hold();
    const gone = new AbortController();
    const leaving = line.run('leaving', { gone: gone.signal });
    const behind = line.run('behind', { subject: 'a' });
    gone.abort(new Error('gone'));
    await assert.rejects(leaving, /gone/);
    await Promise.all([release(), behind]);
    assert.deepEqual(line.turns, [['first'], ['behind']]);
  });

  it('is served on after a request that failed', async () => {
    const line = new Line();
    const fails = async () => {
      throw new Error('unexpected');
    };
    const sent = ['a', 'b'].map((name) => line.run(name, { handle: fails }));
    assert.deepEqual((await Promise.allSettled(sent)).map(outcomeOf), ['failed', 'failed']);
    assert.equal(byName(await line.run('later')), 'later');
  });
});

describe('requests of one turn', () => {
  const three = (line: Line, b: Sent) => {
    const release = line.hold();
    const sent = { a: {}, b, c: {} };
    const all = Object.entries(sent).map(([name, each]) =>
      line.run(name, { subject: name, key: `key-${name}`, ...each }),
    );
    return Promise.all([Promise.allSettled(all), release()]).then(([settled]) => settled.map(outcomeOf));
  };

  it('start before any of them is awaited', async () => {
    const line = new Line();
    const { promise, resolve } = Promise.withResolvers<void>();
    const release = line.hold();
    const first = line.run('a', { subject: 'a', handle: () => promise });
    const second = line.run('b', { subject: 'b', handle: async () => resolve() });
    await Promise.all([release(), first, second]);
  });

  it('receive what they read, alone as together', async () => {
    const line = new Line();
    const reading = (name: string) =>
      runner.run({
        ...line.writeOf(name, { subject: name }),
        read: async ({ brandId }) => `${name} of ${brandId}`,
        handle: async (_, read) => ({ status: 200, body: { name: read } }),
      });
    const read = await Promise.all(['alone', 'b', 'c'].map(reading));
    assert.deepEqual(
      read.map(byName),
      ['alone', 'b', 'c'].map((name) => `${name} of ${line.brandId}`),
    );
  });

  it('are not affected by the refusal of one, whose key stays free', async () => {
    const line = new Line();
    const refused = async () => {
      throw notFound();
    };
    assert.deepEqual(await three(line, { handle: refused }), ['a', 'not_found', 'c']);
    assert.deepEqual(line.turns, [['first'], ['a', 'b', 'c']]);
    assert.deepEqual(await recordedKeys(apps, line), ['key-a', 'key-c']);
    assert.equal(byName(await line.run('again', { key: 'key-b' })), 'again');
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
      const line = new Line();
      const before = await retries();
      assert.deepEqual(await three(line, { handle }), ['a', 'failed', 'c']);
      assert.deepEqual(line.turns, [['first'], ['a', 'b', 'c'], ['a'], ['b'], ['c']]);
      assert.deepEqual(await recordedKeys(apps, line), ['key-a', 'key-c']);
      assert.equal(await retries(), before + 1);
    });

  it('run alone after the connection was lost', async () => {
    const line = new Line();
    let losses = 1;
    const handle = async (tx: Transaction) => {
      losses -= 1;
      if (losses === 0) await tx.run(terminate);
    };
    assert.deepEqual(await three(line, { handle }), ['a', 'b', 'c']);
    assert.deepEqual(line.turns, [['first'], ['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    assert.deepEqual(await recordedKeys(apps, line), ['key-a', 'key-b', 'key-c']);
  });

  // [D43]
  it('all fail, and none runs again, if the connection is lost during the COMMIT', async () => {
    const line = new Line({ finish: ({ tx, turn }) => void (turn.length === 3 && tx.queue(terminate)) });
    assert.deepEqual(await three(line, {}), ['failed', 'failed', 'failed']);
    assert.deepEqual(line.turns, [['first'], ['a', 'b', 'c']]);
    assert.deepEqual(await recordedKeys(apps, line), []);
    assert.equal(byName(await line.run('b', { key: 'key-b' })), 'b');
  });
});

describe('a request alone in its turn', () => {
  it('runs again once if it breaks a constraint: another session may have changed what it read', async () => {
    const line = new Line();
    await assert.rejects(line.run('a', { handle: (tx) => tx.run(breakConstraint) }), /sku_claims/);
    assert.deepEqual(line.turns, [['a'], ['a']]);
  });

  it('does not run again after another error', async () => {
    const line = new Line();
    await assert.rejects(line.run('a', { handle: async () => assert.fail('unexpected') }), /unexpected/);
    assert.deepEqual(line.turns, [['a']]);
  });

  it('runs again if the connection is lost before the COMMIT, not during it', async () => {
    const before = new Line();
    await before.run('a', { handle: async (tx) => before.turns.length === 1 && tx.run(terminate) });
    assert.deepEqual(before.turns, [['a'], ['a']]);
    const during = new Line({ finish: ({ tx }) => tx.queue(terminate) });
    await assert.rejects(during.run('a'), isConnectionFailure);
    assert.deepEqual(during.turns, [['a']]);
  });
});

describe('the Idempotency-Key of a request', () => {
  const again = { subject: 'a', key: 'key', body: 'a' };

  it('is answered from its record, without the handler', async () => {
    const line = new Line();
    const first = await line.run('a', again);
    const { replayed, response } = await line.run('again', again);
    assert.deepEqual([replayed, response], [true, first.response]);
    assert.deepEqual(line.turns.flat(), ['a']);
  });

  it('is refused with another body, and while the first request is waiting or running, without a turn', async () => {
    const line = new Line();
    await line.run('a', again);
    await assert.rejects(line.run('b', { key: 'key' }), { code: 'idempotency_key_reuse' });
    const release = line.hold();
    const waiting = line.run('waiting', { key: 'other' });
    await assert.rejects(line.run('retry', { key: 'other', body: 'waiting' }), {
      code: 'idempotency_conflict',
    });
    assert.deepEqual(line.turns.at(-1), ['first']);
    await Promise.all([release(), waiting]);
    assert.equal(
      outcomeOf(...(await Promise.allSettled([line.run('retry', { key: 'other', body: 'waiting' })]))),
      'replayed',
    );
  });

  it('is refused while a request of another process runs', async () => {
    const [line, writes] = [new Line(), new WriteRunner(apps.context, apps.metrics)];
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = line.run('a', { ...again, handle: () => promise });
    await waitFor('the first request', () => line.turns.flat().length === 1);
    const elsewhere = new Line({ writes, brandId: line.brandId });
    await assert.rejects(elsewhere.run('b', again), { code: 'idempotency_conflict' });
    resolve();
    await first;
    assert.equal((await elsewhere.run('b', again)).replayed, true);
  });

  it('is claimed by the first of two requests in one turn', async () => {
    const line = new Line();
    const writes = [line.writeOf('a', again), line.writeOf('b', { ...again, subject: 'b' })] as const;
    const [a, b] = await apps.database.transaction((tx) => runTurn(tx, writes, apps.clock, { waits: true }));
    assert.equal(byName(a as WriteOutcome), 'a');
    assert.equal((b as ApiError).code, 'idempotency_conflict');
    assert.deepEqual(line.turns, [['a']]);
  });

  it('is answered from its record while the line is slow, without a turn', async () => {
    const line = new Line();
    await line.run('a', again);
    const release = line.hold();
    // The look-up takes the share of its brand: a large record makes those of no other brand long reads.
    const shares = mock.method(apps.context.database, 'forBrand');
    assert.equal((await line.run('before it is known to be slow', again)).replayed, true);
    assert.equal((await line.run('afterwards', again)).replayed, true);
    assert.equal(shares.mock.callCount(), 2);
    shares.mock.restore();
    await assert.rejects(line.run('reuse', { key: 'key' }), { code: 'idempotency_key_reuse' });
    assert.deepEqual(line.turns, [['a'], ['first']]);
    await release();
  });
});
