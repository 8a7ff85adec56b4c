import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { aggregate, eventOn } from '../../tests/store-samples.ts';
import type { LearnerDayRow } from '../dataset-rows.ts';
import type { DatasetPage } from '../datasets.ts';
import type { FaultyStore } from './faulty-store.ts';

const day = { from: '2026-01-01', to: '2026-01-01' };
const learnerCount = 30;
const attempts = 5;

/** Publications while a page is read: rows and revision of a page are those of one publication. */
export function describePublications({ store, direct, paths, newBrandId }: FaultyStore): void {
  afterEach(() => Promise.all(paths.map(({ proxy }) => proxy.restore())));

  /** Adds a view of every learner and aggregates, so that each row of the day changes. */
  async function publish(brandId: number): Promise<void> {
    const views = Array.from({ length: learnerCount }, (_, n) => eventOn(day.from, { learnerId: 1 + n }));
    await direct.appendEvents(brandId, views);
    await aggregate(direct, brandId, day);
  }

  const readPage = (brandId: number) =>
    store.listRows(brandId, 'users', { range: day, after: null, limit: learnerCount + 1 });

  /** Returns the number of views that all rows have. */
  function viewsOf({ rows }: DatasetPage<LearnerDayRow>): number {
    assert.equal(rows.length, learnerCount);
    const views = new Set(rows.flatMap((row) => [row.views, row.cumulative.views]));
    assert.equal(views.size, 1, `a page has rows of several publications: ${[...views]}`);
    return [...views][0] as number;
  }

  describe('a publication', () => {
    for (const { name, proxy } of paths)
      it(`while a page waits for ${name} does not mix with it`, async () => {
        const brandId = newBrandId();
        await publish(brandId);
        const revisions = new Map<number, number>();
        for (let attempt = 1; ; attempt += 1) {
          const before = await readPage(brandId);
          revisions.set(viewsOf(before), before.window.revision);
          proxy.hang();
          const reading = readPage(brandId).catch((error: Error) => error);
          // The page has sent what it sends before its first answer.
          await sleep(50);
          await publish(brandId);
          await direct.upkeep('2026-01-02');
          await proxy.restore();
          const page = await reading;
          const after = await readPage(brandId);
          revisions.set(viewsOf(after), after.window.revision);
          assert.ok(after.window.revision > before.window.revision);
          // On a busy machine, the publication may take longer than a page may wait.
          if (page instanceof Error && attempt < attempts) continue;
          if (page instanceof Error) throw page;
          assert.equal(page.window.revision, revisions.get(viewsOf(page)));
          return;
        }
      });

    it('does not mix with the pages that are read all the time meanwhile', async () => {
      const brandId = newBrandId();
      await publish(brandId);
      let isPublishing = true;
      const revisions = new Map<number, Set<number>>();
      const reading = (async () => {
        while (isPublishing) {
          const page = await readPage(brandId);
          const known = revisions.get(viewsOf(page)) ?? new Set();
          revisions.set(viewsOf(page), known.add(page.window.revision));
        }
      })();
      for (let round = 0; round < 8; round += 1) await publish(brandId);
      isPublishing = false;
      await reading;
      assert.equal(viewsOf(await readPage(brandId)), 9);
      for (const [views, known] of revisions)
        assert.equal(known.size, 1, `${views} views under several revisions`);
    });
  });
}
