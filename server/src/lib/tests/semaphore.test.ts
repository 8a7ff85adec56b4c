import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { setImmediate, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { takeTurn } from '../loop-turns.ts';
import { Semaphore } from '../semaphore.ts';
import { TurnError } from '../turn-wait.ts';

const longMs = 60_000;

/** Asks for units. Who is still waiting when a test ends is refused after it, which is no failure. */
function take(semaphore: Semaphore, owner: string, size: number): ReturnType<Semaphore['take']> {
  const taken = semaphore.take(owner, size, { limitMs: longMs });
  taken.catch(() => {});
  return taken;
}

/** A budget, and a way to ask it that tells what has been granted so far. */
function budgetOf(total: number, perOwner: number, maxWaiting = 1_000) {
  const budget = new Semaphore({ total, perOwner, maxWaiting });
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

describe('a semaphore', () => {
  it('grants up to its total, and the rest in order of arrival as bytes come back', async () => {
    const { budget, granted, ask } = budgetOf(10, 10);
    const first = ask('first', 'a', 6);
    ask('second', 'b', 6);
    ask('third', 'c', 5);
    await setImmediate();
    assert.deepEqual(granted, ['first']);
    assert.equal(budget.waiting, 2);
    await first.release();
    await setImmediate();
    assert.deepEqual(granted, ['first', 'second']);
    assert.equal(budget.held, 6);
  });

  it('lets a request that fits pass one of another owner that does not', async () => {
    const { budget, granted, ask } = budgetOf(10, 10);
    ask('first', 'a', 6);
    ask('large', 'b', 6);
    ask('small', 'c', 4);
    await setImmediate();
    assert.deepEqual(granted, ['first', 'small']);
    assert.equal(budget.waiting, 1);
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

  it('serves owners in rotation, however many requests one of them has waiting', async () => {
    const { granted, ask } = budgetOf(10, 10);
    const first = ask('a1', 'a', 10);
    const second = ask('a2', 'a', 10);
    ask('a3', 'a', 10);
    const other = ask('b1', 'b', 10);
    await setImmediate();
    await first.release();
    await other.release();
    await setImmediate();
    assert.deepEqual(granted, ['a1', 'b1', 'a2']);
    await second.release();
    await setImmediate();
    assert.deepEqual(granted, ['a1', 'b1', 'a2', 'a3']);
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
          const budget = new Semaphore({ total, perOwner, maxWaiting: 1_000 });
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

it('runs work of owners in turns, so many at once, with any outcome', async () => {
  const turns = new Semaphore({ total: 3, perOwner: 2, maxWaiting: 1_000 });
  const running: string[] = [];
  const order: string[] = [];
  const work = (owner: string, index: number) =>
    turns.run(owner, async () => {
      running.push(owner);
      order.push(owner);
      assert.ok(running.length <= 3 && running.filter((one) => one === owner).length <= 2);
      for (let rounds = 0; rounds < 3; rounds += 1) await turn();
      running.splice(running.indexOf(owner), 1);
      if (index % 5 === 0) throw new Error(`${index}`);
    });
  const many = Array.from({ length: 20 }, (_, index) => work('many', index));
  const few = Array.from({ length: 4 }, (_, index) => work('few', index));
  const outcomes = await Promise.allSettled([...many, ...few]);
  assert.ok(order.lastIndexOf('few') < 10, order.join());
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 5);
  assert.equal(turns.held, 0);
});

it('lets nobody who would hold more pass a large request, and who would hold less does', async () => {
  const { granted, ask } = budgetOf(10, 8);
  const first = ask('a1', 'a', 4);
  ask('a2', 'a', 4);
  ask('large', 'b', 5);
  ask('a3', 'a', 2);
  ask('c1', 'c', 2);
  await setImmediate();
  assert.deepEqual(granted, ['a1', 'a2', 'c1']);
  await first.release();
  await setImmediate();
  // Without the rule, a3 would take what came back, and so would all that follow it.
  assert.deepEqual(granted, ['a1', 'a2', 'c1']);
});

it('gives turns of the event loop to owners in rotation, one in a round at most', async () => {
  const log: string[] = [];
  const work = async (owner: string, turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      await takeTurn(owner);
      log.push(owner);
    }
  };
  let rounds = 0;
  let isDone = false;
  const count = async () => {
    for (; !isDone; rounds += 1) await setImmediate();
  };
  const counting = count();
  await Promise.all([work('a', 3), work('a', 3), work('b', 2), work('c', 3)]);
  isDone = true;
  await counting;
  assert.deepEqual(log.slice(0, 8), ['a', 'b', 'a', 'c', 'b', 'a', 'c', 'a']);
  assert.ok(rounds >= log.length - 1, `${rounds} rounds`);
});

it('leaves the event loop to others for as long as the work of a turn took', async () => {
  const busyMs = 20;
  const startedAt = performance.now();
  for (let turns = 0; turns < 4; turns += 1) {
    await takeTurn('a');
    const start = performance.now();
    while (performance.now() - start < busyMs);
  }
  // Three pauses; timers may fire a millisecond early.
  assert.ok(performance.now() - startedAt >= 7 * busyMs - 3);
});

it('lets many connections be accepted between two turns', async () => {
  const connections = 64;
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket));
  after(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
  let turns = 0;
  for (; accepted.length < connections; turns += 1) {
    await takeTurn('a');
    const start = performance.now();
    while (performance.now() - start < 2);
  }
  for (const client of clients) client.destroy();
  assert.ok(turns <= connections / 4, `${turns} turns until ${connections} connections were accepted`);
});
