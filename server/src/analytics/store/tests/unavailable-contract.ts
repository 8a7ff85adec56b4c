import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import {
  aggregate,
  emptyDirectory,
  erasing,
  eventOn,
  listLearnerDays,
  readAll,
  waiting,
} from '../../tests/store-samples.ts';
import { AggregationTooLong } from '../engine.ts';
import type { FaultyPath, FaultyStore } from './faulty-store.ts';

const day = { from: '2026-01-01', to: '2026-01-01' };
const page = { range: day };
/** Time limits of a request for a page [analytics-43], and of any other call. */
const limitMs = { answer: 3_000, work: 30_000 };

/** The store unavailable and frozen: each call fails as "unavailable" in time, changes nothing, and succeeds afterwards. */
export function describeUnavailable({ store, direct, paths, newBrandId }: FaultyStore): void {
  afterEach(() => Promise.all(paths.map(({ proxy }) => proxy.restore())));

  async function assertUnavailable(name: string, limit: number, asked: Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    const error = await asked.then(
      () => null,
      (reason: unknown) => reason,
    );
    const ms = performance.now() - startedAt;
    const isInTime = error instanceof AggregationTooLong || codeOf(error) === 'analytics_unavailable';
    assert.ok(isInTime, `${name}: ${error}`);
    assert.ok(ms < limit, `${name} took ${ms} ms`);
  }

  const answers = (brandId: number): Record<string, () => Promise<unknown>> => ({
    listDaily: () => store.listDaily(brandId, { ...page, of: 'brand' }, { size: 10, offset: 0 }),
    listContents: () => store.listRows(brandId, 'contents', { ...page, after: null, limit: 10 }),
    listLearnerDays: () => store.listRows(brandId, 'users', { ...page, after: null, limit: 10 }),
    listContentEngagement: () =>
      store.listRows(brandId, 'content_engagement', { ...page, after: null, limit: 10 }),
    readLearnerActivity: () => store.readLearnerActivity(brandId, 1),
    readFigures: () => store.readFigures(),
  });

  /** A brand with an aggregated day of two learners. */
  async function newAggregatedBrand(): Promise<number> {
    const brandId = newBrandId();
    await direct.appendEvents(brandId, [eventOn('2026-01-01'), eventOn('2026-01-01', { learnerId: 2 })]);
    await aggregate(direct, brandId, day);
    return brandId;
  }

  async function untilBack(brandId: number): Promise<void> {
    for (const [name, ask] of Object.entries(answers(brandId)))
      await waitFor(name, () =>
        ask().then(
          () => true,
          () => false,
        ),
      );
  }

  async function assertFaultIsHarmless(breakPath: (path: FaultyPath) => Promise<void>, path: FaultyPath) {
    const [appending, erasing1, aggregating] = [
      await newAggregatedBrand(),
      await newAggregatedBrand(),
      await newAggregatedBrand(),
    ];
    const before = await readAll(direct, aggregating);
    const late = Array.from({ length: 500 }, (_, n) => eventOn('2026-01-01', { learnerId: 3 + (n % 7) }));
    await untilBack(appending);
    await direct.appendEvents(aggregating, late.slice(0, 3));
    await breakPath(path);

    await Promise.all(
      Object.entries(answers(appending)).map(([name, ask]) => assertUnavailable(name, limitMs.answer, ask())),
    );
    await Promise.all([
      assertUnavailable('appendEvents', limitMs.work, store.appendEvents(appending, late)),
      assertUnavailable('eraseLearner', limitMs.work, store.eraseLearner(erasing1, 1, erasing)),
      assertUnavailable(
        'aggregate',
        limitMs.work,
        store.aggregate(aggregating, day, async () => emptyDirectory, {
          ...waiting,
          ...(path.hasRows ? {} : { limitMs: 1_000 }),
        }),
      ),
    ]);
    assert.deepEqual(await readAll(direct, aggregating), before, 'a part of an aggregation is visible');
    await path.proxy.restore();

    await untilBack(appending);
    const { accepted, duplicates } = await store.appendEvents(appending, late);
    assert.ok([0, late.length].includes(accepted), `${accepted} were accepted: neither all nor none`);
    assert.equal(accepted + duplicates, late.length);
    await aggregate(store, appending, day);
    assert.equal((await readAll(direct, appending)).daily[0]?.totals.views, 2 + late.length);
    await store.eraseLearner(erasing1, 1, erasing);
    assert.deepEqual(
      (await listLearnerDays(direct, erasing1)).map(({ learnerId }) => learnerId),
      [2],
    );
    await aggregate(store, aggregating, day);
    assert.equal((await readAll(direct, aggregating)).daily[0]?.totals.views, 5);
  }

  describe('a store whose engine', () => {
    for (const path of paths) {
      it(`${path.name} refuses connections is unavailable at once, and loses nothing`, () =>
        assertFaultIsHarmless(({ proxy }) => proxy.cut(), path));

      // [analytics-43]
      it(`${path.name} is frozen is unavailable in time, and loses nothing`, () =>
        assertFaultIsHarmless(async ({ proxy }) => proxy.hang(), path));
    }
  });
}

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code;
