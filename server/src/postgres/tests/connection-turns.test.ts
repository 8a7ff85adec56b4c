import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Owner, type Reservation, Semaphore } from '../../lib/semaphore.ts';
import { TurnError } from '../../lib/turn-wait.ts';
import { connectionLimits } from '../connections.ts';

const patient = { limitMs: 60_000 };

/** The turns for connections, and those that each share holds. */
class Turns {
  readonly line: Semaphore;
  readonly #held: { readonly share: Owner; readonly turn: Reservation }[] = [];

  constructor(width: number, isLent = true) {
    this.line = new Semaphore(connectionLimits(width, isLent));
  }

  tryTake(share: Owner): boolean {
    const turn = this.line.tryTake(share, 1);
    if (turn !== null) this.#held.push({ share, turn });
    return turn !== null;
  }

  async take(share: Owner, options: Parameters<Semaphore['take']>[2]): Promise<void> {
    this.#held.push({ share, turn: await this.line.take(share, 1, options) });
  }

  give(share: Owner): void {
    const index = this.#held.findIndex((held) => held.share === share);
    this.#held.splice(index, 1)[0]?.turn.release();
  }
}

/** Takes as many turns as there are at once. */
function takeAll(turns: Turns, share: Owner): number {
  let taken = 0;
  while (turns.tryTake(share)) taken += 1;
  return taken;
}

/** Waits for a turn; `log` receives the share once it has it. */
function queue(turns: Turns, share: Owner, log: Owner[]): void {
  turns.take(share, { limitMs: 1_000 }).then(
    () => log.push(share),
    () => {},
  );
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns for connections', () => {
  it('leave a third to newcomers while a brand is alone', () => {
    const turns = new Turns(10);
    assert.equal(takeAll(turns, 1), 7);
    assert.equal(takeAll(turns, 2), 3);
    assert.equal(turns.tryTake(3), false);
    assert.equal(turns.line.held, 10);
  });

  it('leave two thirds of the long reads to others, also while a brand is alone', () => {
    const turns = new Turns(6, false);
    assert.deepEqual(
      [1, 2, 3, 4].map((brand) => takeAll(turns, brand)),
      [2, 2, 2, 0],
    );
  });

  // [platform-76]
  it('hold a brand to a third while another one waits, and serve who waits in rotation', async () => {
    const turns = new Turns(10);
    takeAll(turns, 1);
    takeAll(turns, 2);
    const log: Owner[] = [];
    for (const share of [1, 1, 1, 3, 3, null, 4]) queue(turns, share, log);
    assert.equal(turns.line.waiting, 7);
    // Brand 1 gives back, holding seven: those below their third get what it gave, one each in turn.
    for (let n = 0; n < 4; n += 1) turns.give(1);
    await settled();
    assert.deepEqual(log, [3, null, 4, 3]);
    // Now it holds three, its third; each one that it gives back it may take again.
    turns.give(1);
    await settled();
    assert.deepEqual(log.slice(4), [1]);
    assert.equal(turns.line.held, 10);
  });

  it('come back to a brand that waits alone', async () => {
    const turns = new Turns(9);
    const log: Owner[] = [];
    assert.equal(takeAll(turns, 1), 6);
    queue(turns, 1, log);
    turns.give(1);
    await settled();
    assert.deepEqual(log, [1]);
    assert.equal(turns.line.waiting, 0);
  });

  it('are not lost with who gives up waiting, in time or because the client is gone', async () => {
    const turns = new Turns(3);
    takeAll(turns, 1);
    takeAll(turns, 2);
    const gone = new AbortController();
    const reason = new Error('gone');
    const leaving = turns.take(3, { ...patient, gone: () => gone.signal });
    const late = turns.take(4, { limitMs: 5 });
    gone.abort(reason);
    await assert.rejects(leaving, reason);
    await assert.rejects(late, TurnError);
    assert.equal(turns.line.waiting, 0);
    turns.give(1);
    assert.equal(turns.tryTake(5), true);
  });

  it('have a bounded queue', async () => {
    const turns = new Turns(1);
    assert.ok(turns.tryTake(1));
    const { maxWaiting } = connectionLimits(1, true);
    const waits = Array.from({ length: maxWaiting }, () => turns.take(1, patient));
    await assert.rejects(turns.take(1, patient), TurnError);
    // Another brand takes a place of this one.
    const other = turns.take(2, patient);
    await assert.rejects(waits.pop() as Promise<void>, TurnError);
    for (const wait of waits) void wait.then(() => turns.give(1));
    void other.then(() => turns.give(2));
    turns.give(1);
    await Promise.all([...waits, other]);
  });

  it('pass by a brand with many waiting requests after one of them, also one that it has now', async () => {
    const turns = new Turns(1);
    assert.ok(turns.tryTake(1));
    const log: Owner[] = [];
    for (const share of [1, 1, 1, 2, 2]) queue(turns, share, log);
    for (const share of [1, 2, 1, 2, 1]) {
      turns.give(share);
      await settled();
    }
    assert.deepEqual(log, [2, 1, 2, 1, 1]);
  });

  it('keep every promise in any order of taking and giving', async () => {
    const width = 7;
    const third = Math.floor(width / 3);
    const turns = new Turns(width);
    const held = new Map<Owner, number>();
    let done = 0;
    const work = async (share: Owner, seed: number) => {
      if (!turns.tryTake(share)) await turns.take(share, patient);
      held.set(share, (held.get(share) ?? 0) + 1);
      const all = [...held.values()].reduce((sum, count) => sum + count, 0);
      assert.ok(all <= width, `${all} turns are held`);
      for (let n = 0; n <= seed % 5; n += 1) await settled();
      held.set(share, (held.get(share) ?? 0) - 1);
      turns.give(share);
      done += 1;
    };
    await Promise.all(Array.from({ length: 1_500 }, (_, n) => work((n * 7) % 13 < 8 ? 1 : (n * 7) % 13, n)));
    assert.equal(done, 1_500);
    assert.equal(turns.line.held, 0);
    assert.equal(turns.line.waiting, 0);
    assert.equal(takeAll(turns, 1), width - third);
  });
});
