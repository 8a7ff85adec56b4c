import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addDays } from '../../day.ts';
import { aggregate, eventOn } from '../../tests/store-samples.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

/** Runs last: afterwards, each deletion of the store has a hundred more partitions to look into. */
export function describeManyMonths({ store, newBrandId }: StoreUnderTest): void {
  // [D193]
  it('a batch of events of 110 months is stored whole', async () => {
    const brandId = newBrandId();
    const days = Array.from({ length: 110 }, (_, month) =>
      addDays(`${2010 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`, month % 28),
    );
    const events = days.flatMap((date) => [eventOn(date), eventOn(date, { learnerId: 2 })]);
    assert.equal((await store.appendEvents(brandId, events)).accepted, 220);
    assert.deepEqual(await store.readLearnerActivity(brandId, 1), {
      firstDay: days[0],
      lastDay: days.at(-1),
      aggregatedDays: [],
    });
    assert.equal((await store.appendEvents(brandId, events)).duplicates, 220);
    for (const date of [days[0], days[99], days.at(-1)] as string[])
      await aggregate(store, brandId, { from: date, to: date });
    const views = async () => (await readAllDays(brandId)).map(({ totals }) => totals.views);
    assert.deepEqual(await views(), [2, 2, 2]);
  });

  async function readAllDays(brandId: number) {
    const range = { from: '2010-01-01', to: '2029-12-31' };
    return (await store.listDaily(brandId, { range, of: 'brand' }, { size: 100, offset: 0 })).rows;
  }
}
