import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { FairLine } from '../fair-line.ts';
import { TurnError } from '../limit-wait.ts';

const longMs = 60_000;

/** Asks for a turn. Who is still waiting when a test ends is refused after it, which is no failure. */
function take(line: FairLine, owner: string, size: number): ReturnType<FairLine['take']> {
  const taken = line.take(owner, size, { limitMs: longMs });
  taken.catch(() => {});
  return taken;
}

/** A budget, and a way to ask it that tells what has been granted so far. */
function budgetOf(total: number, perOwner: number, maxWaiting = 1_000) {
  const budget = new FairLine({ total, perOwner, maxWaiting });
  const granted: string[] = [];
  /** Asks for bytes; the result releases them when they are granted. */
  const ask = (name: string, owner: string, bytes: number) => {
    const taken = take(budget, owner, bytes);
    taken.then(
      () => granted.push(name),
      () => {},
    );
    return { release: async () => (await taken).release() };
  };
  return { budget, granted, ask };
}

describe('a fair line', () => {
  it('grants up to its total, and the rest in order of arrival as bytes come back', async () => {
    const { budget, granted, ask } = budgetOf(10, 10);
    const first = ask('first', 'a', 6);
    ask('second', 'b', 6);
    ask('third', 'c', 1);
    await setImmediate();
    assert.deepEqual(granted, ['first']);
    assert.equal(budget.waiting, 2);
    await first.release();
    await setImmediate();
    assert.deepEqual(granted, ['first', 'second', 'third']);
    assert.equal(budget.held, 7);
  });

  it('holds an owner to its share, and nobody else behind it', async () => {
    const { granted, ask } = budgetOf(30, 10);
    const first = ask('a1', 'a', 8);
    ask('a2', 'a', 8);
    ask('a3', 'a', 1);
    ask('b1', 'b', 8);
    await setImmediate();
    assert.deepEqual(granted, ['a1', 'b1']);
    await first.release();
    await setImmediate();
    assert.deepEqual(granted, ['a1', 'b1', 'a2', 'a3']);
  });

  it('grants what a holder gives back before its end', async () => {
    const { budget, granted, ask } = budgetOf(10, 10);
    const first = await take(budget, 'a', 8);
    ask('second', 'b', 6);
    await setImmediate();
    assert.deepEqual(granted, []);
    first.shrink(4);
    await setImmediate();
    assert.deepEqual(granted, ['second']);
    first.shrink(5);
    assert.equal(budget.held, 10, 'it never grows');
    first.release();
    first.release();
    assert.equal(budget.held, 6);
  });

  it('refuses who has waited too long, is gone, or comes when too many wait', async () => {
    const { budget, granted, ask } = budgetOf(10, 10, 2);
    const holder = ask('holder', 'a', 10);
    await setImmediate();
    await assert.rejects(budget.take('b', 5, { limitMs: 1 }), TurnError);
    const gone = new AbortController();
    const waiting = budget.take('b', 5, { limitMs: longMs, gone: () => gone.signal });
    ask('next', 'c', 5);
    await assert.rejects(budget.take('d', 5, { limitMs: longMs }), TurnError);
    const reason = new Error('gone');
    gone.abort(reason);
    await assert.rejects(waiting, reason);
    await holder.release();
    await setImmediate();
    assert.deepEqual(granted, ['holder', 'next']);
  });

  it('serves the owner that holds least first', async () => {
    const { granted, ask } = budgetOf(12, 10);
    const first = ask('a1', 'a', 6);
    ask('a2', 'a', 4);
    const full = ask('b1', 'b', 2);
    ask('a3', 'a', 4);
    ask('c1', 'c', 3);
    await setImmediate();
    assert.deepEqual(granted, ['a1', 'a2', 'b1']);
    await full.release();
    await first.release();
    await setImmediate();
    assert.deepEqual(granted, ['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('refuses the newest of the owner with the most waiting, not the newcomer, when too many wait', async () => {
    const { budget, granted, ask } = budgetOf(10, 10, 3);
    const holder = ask('holder', 'a', 10);
    const waiting = Array.from({ length: 4 }, () => take(budget, 'a', 5));
    await assert.rejects(waiting[3] as Promise<unknown>, TurnError);
    ask('other', 'b', 5);
    await assert.rejects(waiting[2] as Promise<unknown>, TurnError);
    assert.equal(budget.waiting, 3);
    await holder.release();
    await setImmediate();
    assert.deepEqual(granted, ['holder', 'other']);
  });

  it('that leaves room grants another owner at once, however much few owners hold', () => {
    const budget = new FairLine({ total: 30_000, perOwner: 10_000, maxWaiting: 20, leavesRoom: true });
    for (let owner = 0; owner < 8; owner += 1) {
      const before = budget.held;
      take(budget, `owner ${owner}`, 64);
      assert.equal(budget.held, before + 64, `owner ${owner}`);
      for (let more = 0; more < 200; more += 1) take(budget, `owner ${owner}`, 64);
    }
    assert.ok(budget.held > 20_000, `${budget.held} bytes held`);
    assert.equal(budget.waiting, 20);
  });

  it('lets small requests pass large ones of others that wait, if it may', async () => {
    const budget = new FairLine({ total: 10, perOwner: 10, maxWaiting: 10, passingSize: 2 });
    take(budget, 'a', 5);
    take(budget, 'b', 8);
    await take(budget, 'c', 2);
    take(budget, 'd', 3);
    assert.equal(budget.waiting, 2);
  });

  it('displaces slow work of the heaviest owner for an owner that holds nothing, and no more than needed', async () => {
    const budget = new FairLine({ total: 20, perOwner: 12, maxWaiting: 10 });
    const displaced: string[] = [];
    const work = (name: string, owner: string, bytes: number, pace: number) => {
      const displace = async () => {
        displaced.push(name);
        (await taken).release();
      };
      const taken = budget.take(owner, bytes, { limitMs: longMs, work: { pace: () => pace, displace } });
    };
    work('light', 'a', 4, 0);
    work('fast', 'b', 4, 1_000_000);
    work('slow', 'b', 4, 1_000);
    work('slowest', 'b', 4, 10);
    work('last', 'c', 4, 1_000_000);
    await take(budget, 'd', 6);
    assert.deepEqual(displaced, ['slowest', 'slow']);
    // An owner that holds something displaces nothing of owners that would then hold less.
    await assert.rejects(budget.take('d', 6, { limitMs: 1 }), TurnError);
    assert.deepEqual(displaced, ['slowest', 'slow']);
  });

  it('never exceeds its limits and never deadlocks, for any sizes and order', async () => {
    const holder = fc.record({
      owner: fc.constantFrom('a', 'b', 'c', 'd'),
      bytes: fc.integer({ min: 1, max: 40 }),
      /** The bytes that it keeps until its end. */
      kept: fc.integer({ min: 0, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(holder, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 40, max: 100 }),
        fc.integer({ min: 0, max: 60 }),
        fc.scheduler(),
        async (holders, perOwner, more, scheduler) => {
          const total = perOwner + more;
          const budget = new FairLine({ total, perOwner, maxWaiting: 1_000 });
          const heldBy = new Map<string, number>();
          let ended = 0;
          const count = (owner: string, bytes: number) => {
            heldBy.set(owner, (heldBy.get(owner) ?? 0) + bytes);
            assert.ok((heldBy.get(owner) ?? 0) <= perOwner);
            assert.ok(budget.held <= total);
          };
          const runs = holders.map(async ({ owner, bytes, kept }) => {
            await scheduler.schedule(Promise.resolve());
            const reservation = await take(budget, owner, bytes);
            count(owner, bytes);
            await scheduler.schedule(Promise.resolve());
            const left = Math.min(kept, bytes);
            count(owner, left - bytes);
            reservation.shrink(kept);
            await scheduler.schedule(Promise.resolve());
            count(owner, -left);
            reservation.release();
            ended += 1;
          });
          for (let idle = 0; idle < 3; idle += 1) {
            if (scheduler.count() > 0) idle = -1;
            await scheduler.waitIdle();
            await setImmediate();
          }
          assert.equal(ended, holders.length, 'holders wait for each other');
          assert.equal(budget.held, 0);
          await Promise.all(runs);
        },
      ),
      { numRuns: 60 },
    );
  });
});
