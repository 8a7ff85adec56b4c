import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { ByteBudget, NoRoomError, type Reservation } from '../byte-budget.ts';

const longMs = 60_000;

/** A budget, and a way to ask it that tells what has been granted so far. */
function budgetOf(total: number, perOwner: number, maxWaiting = 1_000) {
  const budget = new ByteBudget({ total, perOwner, maxWaiting });
  const granted: string[] = [];
  const ask = (name: string, owner: string, bytes: number, demand = bytes): Reservation => {
    const reservation = budget.open(owner, demand);
    void (async () => {
      await reservation.grow(bytes, longMs);
      granted.push(name);
    })();
    return reservation;
  };
  return { budget, granted, ask };
}

describe('a byte budget', () => {
  it('grants up to its total, and the rest in order of arrival as bytes come back', async () => {
    const { budget, granted, ask } = budgetOf(10, 10);
    const first = ask('first', 'a', 6);
    ask('second', 'b', 6);
    ask('third', 'c', 1);
    await setImmediate();
    assert.deepEqual(granted, ['first']);
    assert.equal(budget.waiting, 2);
    first.release();
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
    first.release();
    await setImmediate();
    assert.deepEqual(granted, ['a1', 'b1', 'a2', 'a3']);
  });

  it('does not let two grow half-way when neither could end', async () => {
    const { granted, ask } = budgetOf(30, 10);
    const first = ask('first', 'a', 4, 8);
    ask('second', 'a', 4, 8);
    await setImmediate();
    assert.deepEqual(granted, ['first']);
    await first.grow(4, longMs);
    first.release();
    await setImmediate();
    assert.deepEqual(granted, ['first', 'second']);
  });

  it('refuses who has waited too long, is gone, or comes when too many wait', async () => {
    const { budget, granted, ask } = budgetOf(10, 10, 2);
    const holder = ask('holder', 'a', 10);
    await setImmediate();
    await assert.rejects(budget.open('b', 5).grow(5, 1) ?? Promise.resolve(), NoRoomError);
    const gone = new AbortController();
    const waiting = budget.open('b', 5).grow(5, longMs, () => gone.signal);
    ask('next', 'c', 5);
    await assert.rejects(budget.open('d', 5).grow(5, longMs) ?? Promise.resolve(), NoRoomError);
    gone.abort();
    await assert.rejects(waiting ?? Promise.resolve(), NoRoomError);
    holder.release();
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
    full.release();
    first.release();
    await setImmediate();
    assert.deepEqual(granted, ['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('refuses the newest of the owner with the most waiting, not the newcomer, when too many wait', async () => {
    const { budget, granted, ask } = budgetOf(10, 10, 3);
    const holder = ask('holder', 'a', 10);
    const waiting = Array.from({ length: 4 }, () => budget.open('a', 5).grow(5, longMs));
    await assert.rejects(waiting[3] ?? Promise.resolve(), NoRoomError);
    ask('other', 'b', 5);
    await assert.rejects(waiting[2] ?? Promise.resolve(), NoRoomError);
    assert.equal(budget.waiting, 3);
    holder.release();
    await setImmediate();
    assert.deepEqual(granted, ['holder', 'other']);
  });

  it('that leaves room grants another owner at once, however much few owners hold', () => {
    const budget = new ByteBudget({ total: 30_000, perOwner: 10_000, maxWaiting: 20, leavesRoom: true });
    for (let owner = 0; owner < 8; owner += 1) {
      const before = budget.held;
      void budget.open(`owner ${owner}`, 64).grow(64, longMs);
      assert.equal(budget.held, before + 64, `owner ${owner}`);
      for (let more = 0; more < 200; more += 1)
        budget
          .open(`owner ${owner}`, 64)
          .grow(64, longMs)
          ?.catch(() => {});
    }
    assert.ok(budget.held > 20_000, `${budget.held} bytes held`);
    assert.equal(budget.waiting, 20);
  });

  it('lets small requests pass large ones of others that wait, if it may', async () => {
    const budget = new ByteBudget({ total: 10, perOwner: 10, maxWaiting: 10, passingBytes: 2 });
    void budget.open('a', 5).grow(5, longMs);
    void budget.open('b', 8).grow(8, longMs);
    await budget.open('c', 2).grow(2, longMs);
    void budget.open('d', 3).grow(3, longMs);
    assert.equal(budget.waiting, 2);
  });

  it('displaces slow work of the heaviest owner for an owner that holds nothing, and no more than needed', async () => {
    const budget = new ByteBudget({ total: 20, perOwner: 12, maxWaiting: 10 });
    const displaced: string[] = [];
    const work = (name: string, owner: string, bytes: number, pace: number) => {
      const reservation = budget.open(owner, bytes, {
        pace: () => pace,
        displace: () => {
          displaced.push(name);
          reservation.release();
        },
      });
      void reservation.grow(bytes, longMs);
    };
    work('light', 'a', 4, 0);
    work('fast', 'b', 4, 1_000_000);
    work('slow', 'b', 4, 1_000);
    work('slowest', 'b', 4, 10);
    work('last', 'c', 4, 1_000_000);
    await budget.open('d', 6).grow(6, longMs);
    assert.deepEqual(displaced, ['slowest', 'slow']);
    // An owner that holds something displaces nothing of owners that would then hold less.
    const waiting = budget.open('d', 6).grow(6, 1);
    await assert.rejects(waiting ?? Promise.resolve(), NoRoomError);
    assert.deepEqual(displaced, ['slowest', 'slow']);
  });

  it('never exceeds its limits and never deadlocks, for any demands, sizes and order', async () => {
    const holder = fc.record({
      owner: fc.constantFrom('a', 'b', 'c', 'd'),
      demand: fc.integer({ min: 1, max: 40 }),
      /** The growth of the holder, as parts of its demand. */
      steps: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(holder, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 40, max: 100 }),
        fc.integer({ min: 0, max: 60 }),
        fc.scheduler(),
        async (holders, perOwner, more, scheduler) => {
          const total = perOwner + more;
          const budget = new ByteBudget({ total, perOwner, maxWaiting: 1_000 });
          const heldBy = new Map<string, number>();
          let ended = 0;
          const runs = holders.map(async ({ owner, demand, steps }) => {
            const reservation = budget.open(owner, demand);
            let held = 0;
            for (const step of steps) {
              await scheduler.schedule(Promise.resolve());
              await reservation.grow(step, longMs);
              const got = Math.min(step, demand - held);
              held += got;
              heldBy.set(owner, (heldBy.get(owner) ?? 0) + got);
              assert.ok((heldBy.get(owner) ?? 0) <= perOwner);
              assert.ok(budget.held <= total);
            }
            await scheduler.schedule(Promise.resolve());
            heldBy.set(owner, (heldBy.get(owner) ?? 0) - held);
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
