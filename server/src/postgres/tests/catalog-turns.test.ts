import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { beginCatalogChange } from '../../catalog/brand-catalog-store.ts';
import { CatalogTurns } from '../catalog-turns.ts';
import type { CatalogTransaction } from '../transaction.ts';
import { TurnError } from '../turn-error.ts';

const { database } = await createTestDatabase();

/** A change that runs until it is released. */
function openChange(brandId: number, name: string | null = null) {
  const end = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const done = database.catalogTransaction(
    brandId,
    () => {
      begun.resolve();
      return end.promise;
    },
    { name },
  );
  return { begun: begun.promise, end: end.resolve, done };
}

const waiting = () => database.uses().find(({ kind }) => kind === 'catalog')?.waiting;
const busy = () => database.uses().find(({ kind }) => kind === 'transactions')?.busy;

describe('changes of one catalog', () => {
  it('hold two connections however many there are, run in order of arrival, and hold up no other brand', async () => {
    const first = [openChange(1), openChange(1)];
    await Promise.all(first.map(({ begun }) => begun));
    const order: number[] = [];
    const later = Array.from({ length: 50 }, (_, n) =>
      database.catalogTransaction(1, async () => {
        order.push(n);
      }),
    );
    assert.equal(waiting(), 50);
    assert.equal(busy(), 2);
    assert.equal(await database.catalogTransaction(2, async () => 'another brand'), 'another brand');
    for (const { end } of first) end('');
    await Promise.all([...first.map(({ done }) => done), ...later]);
    // Two run at a time, so neighbours may change places.
    for (const [at, n] of order.entries()) assert.ok(Math.abs(at - n) <= 2, order.join());
    assert.deepEqual([waiting(), busy()], [0, 0]);
  });

  it('are given up by who is gone, and by who found an answer elsewhere', async () => {
    const held = [openChange(1, 'one'), openChange(1, 'two')];
    await Promise.all(held.map(({ begun }) => begun));
    const gone = new AbortController();
    const never = async () => assert.fail('this change must not run');
    const leaving = database.catalogTransaction(1, never, { gone: () => gone.signal });
    const seen: boolean[] = [];
    const instead = database.catalogTransaction<string>(1, never, {
      name: 'two',
      whileWaiting: async (isInFlight) => {
        seen.push(isInFlight);
        return 'found';
      },
    });
    const refused = database.catalogTransaction<string>(1, never, {
      name: 'three',
      whileWaiting: async (isInFlight) => {
        seen.push(isInFlight);
        throw new RangeError('refused');
      },
    });
    const patient = database.catalogTransaction<string>(1, async () => 'ran', {
      whileWaiting: async () => null,
    });
    assert.equal(await instead, 'found');
    await assert.rejects(refused, RangeError);
    gone.abort(new TypeError('gone'));
    await assert.rejects(leaving, TypeError);
    assert.deepEqual(seen, [true, false]);
    assert.equal(waiting(), 1);
    for (const { end } of held) end('');
    assert.equal(await patient, 'ran');
    await waitFor('all turns to be back', () => waiting() === 0 && busy() === 0);
  });

  it('keep both places when an answer is found at the very moment of the turn', async () => {
    for (let round = 0; round < 50; round += 1) {
      const held = [openChange(1), openChange(1)];
      await Promise.all(held.map(({ begun }) => begun));
      const either = database.catalogTransaction<string>(1, async () => 'ran', {
        whileWaiting: async () => {
          if (round % 2 === 0) await sleep(0);
          for (const { end } of held) end('');
          return 'found';
        },
      });
      assert.match(await either, /ran|found/);
      await Promise.all(held.map(({ done }) => done));
    }
    const both = [openChange(1), openChange(1)];
    await Promise.all(both.map(({ begun }) => begun));
    for (const { end } of both) end('');
    await Promise.all(both.map(({ done }) => done));
    await waitFor('all turns to be back', () => waiting() === 0 && busy() === 0);
  });

  it('have a bounded line', async () => {
    const turns = new CatalogTurns();
    while (turns.tryTake(1, null));
    const waits = Array.from({ length: 200 }, () => turns.take(1, null, { limitMs: 60_000 }));
    await assert.rejects(turns.take(1, null, { limitMs: 60_000 }), TurnError);
    for (const wait of waits) void wait.then(() => turns.give(1, null));
    turns.give(1, null);
    await Promise.all(waits);
    assert.equal(turns.waiting, 0);
  });

  it('cannot take the lock in a transaction without the turn', async () => {
    await assert.rejects(
      database.transaction((tx) => beginCatalogChange(tx as CatalogTransaction)),
      /has no turn/,
    );
  });
});
