import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DirectoryAtAggregation } from '../engine.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

const directory: DirectoryAtAggregation = {
  marketIds: [],
  excludedLearnerIds: [],
  totalLearners: 0,
  liveContent: { episodes: 0, programs: 0, quests: 0, products: 0 },
};

/** The figures for monitoring. Runs first, on an empty store. */
export function describeFigures({ store, newBrandId }: StoreUnderTest): void {
  describe('the figures', () => {
    const aggregate = (brandId: number, from: string, to = from) =>
      store.aggregate(brandId, { from, to }, async () => directory, { at: new Date(), whenBusy: 'wait' });

    it('name the last aggregated day of the brand that is furthest behind', async () => {
      assert.equal((await store.readFigures()).oldestLatestDay, null);
      const [ahead, behind] = [newBrandId(), newBrandId()];
      await aggregate(ahead, '2026-02-01', '2026-02-10');
      assert.equal((await store.readFigures()).oldestLatestDay, '2026-02-10');
      await aggregate(behind, '2026-01-30');
      await aggregate(behind, '2026-02-07');
      assert.equal((await store.readFigures()).oldestLatestDay, '2026-02-07');
      await aggregate(behind, '2026-02-11');
      assert.equal((await store.readFigures()).oldestLatestDay, '2026-02-10');
    });

    it('have the size of the store and the use of each pool', async () => {
      assert.ok((await store.readFigures()).bytes > 1_000_000);
      const uses = store.uses();
      assert.ok(uses.length > 0 && new Set(uses.map(({ pool }) => pool)).size === uses.length);
      for (const { busy, idle, waiting } of uses)
        for (const count of [busy, idle, waiting]) assert.ok(Number.isInteger(count) && count >= 0);
    });
  });
}
