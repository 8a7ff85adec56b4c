import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day } from '../../day.ts';
import { aggregate, erasing, eventOn, listContents, readAll } from '../../tests/store-samples.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

const first = '2026-01-20';
const dayCount = 30;
const learners = [1, 2, 3];
const contents = [10, 11];

type Command =
  | { readonly do: 'view'; readonly day: number; readonly learner: number; readonly content: number }
  | { readonly do: 'aggregate'; readonly day: number; readonly days: number }
  | { readonly do: 'erase'; readonly learner: number }
  | { readonly do: 'keep up' };

const day = fc.integer({ min: 0, max: dayCount - 1 });
const learner = fc.constantFrom(...learners);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('view' as const),
      day,
      learner,
      content: fc.constantFrom(...contents),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('aggregate' as const),
      day,
      days: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('keep up' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), learner }) },
);

/** The views of a key by day, for their running totals. */
class Model {
  readonly #views: { day: Day; learner: number; content: number }[] = [];
  readonly #counted = new Set<object>();

  view(seen: { day: Day; learner: number; content: number }): void {
    this.#views.push(seen);
  }

  aggregate(from: Day, to: Day): void {
    for (const view of this.#views) if (view.day >= from && view.day <= to) this.#counted.add(view);
  }

  erase(gone: number): void {
    for (const view of this.#views.filter(({ learner }) => learner === gone)) {
      this.#views.splice(this.#views.indexOf(view), 1);
      this.#counted.delete(view);
    }
  }

  /** `key day: views of the day / views so far`, sorted. */
  totals(keyOf: (view: { learner: number; content: number }) => string): string[] {
    const counted = this.#views.filter((view) => this.#counted.has(view));
    const rows = new Set(counted.map((view) => `${keyOf(view)} ${view.day}`));
    return [...rows]
      .map((row) => {
        const [key, on = ''] = row.split(' ');
        const ofKey = counted.filter((view) => keyOf(view) === key && view.day <= on);
        return `${row}: ${ofKey.filter((view) => view.day === on).length} / ${ofKey.length}`;
      })
      .sort();
  }
}

/** Running totals over a month of corrections, erasures and upkeep. */
export function describeTotals({ store, newBrandId }: StoreUnderTest): void {
  describe('running totals', () => {
    // [analytics-42] [D193]
    it('are the sums of the days, after any corrections, erasures and upkeep', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 12, maxLength: 24 }), async (commands) => {
          const brandId = newBrandId();
          const model = new Model();
          const dayAt = (place: number) => addDays(first, place);
          const whole = { from: first, to: dayAt(dayCount - 1) };
          const run = async (from: Day, to: Day) => {
            await aggregate(store, brandId, { from, to });
            model.aggregate(from, to);
          };
          for (const each of commands) {
            if (each.do === 'aggregate') await run(dayAt(each.day), dayAt(each.day + each.days - 1));
            else if (each.do === 'keep up') await store.upkeep(whole.to);
            else if (each.do === 'erase') {
              await store.eraseLearner(brandId, each.learner, erasing);
              model.erase(each.learner);
            } else {
              const seen = { day: dayAt(each.day), learner: each.learner, content: each.content };
              const { day: on, learner: learnerId, content: contentRefId } = seen;
              await store.appendEvents(brandId, [eventOn(on, { learnerId, contentRefId })]);
              model.view(seen);
            }
          }
          const { users, engagement } = await readAll(store, brandId);
          assert.deepEqual(
            users.map((row) => `${row.learnerId} ${row.day}: ${row.views} / ${row.cumulative.views}`).sort(),
            model.totals((view) => String(view.learner)),
          );
          assert.deepEqual(
            engagement
              .map(
                (row) =>
                  `${row.learnerId}/${row.contentRefId} ${row.day}: ${row.views} / ${row.cumulative.views}`,
              )
              .sort(),
            model.totals((view) => `${view.learner}/${view.content}`),
          );
        }),
        { numRuns: 6, endOnFailure: true },
      );
    });

    it('of all datasets go on from what the upkeep has kept, and are corrected behind it', async () => {
      const brandId = newBrandId();
      const last = addDays(first, dayCount - 1);
      const send = (on: Day, count: number) =>
        store.appendEvents(
          brandId,
          Array.from({ length: count }, () => eventOn(on)),
        );
      const soFar = async () => {
        const rows = await readAll(store, brandId);
        const users = rows.users.at(-1)?.cumulative.views;
        const engaged = rows.engagement.at(-1)?.cumulative.views;
        const ofContents = (await listContents(store, brandId)).at(-1)?.cumulative.views;
        return [rows.daily.at(-1)?.cumulative.views, ofContents, users, engaged];
      };
      await send(first, 5);
      await aggregate(store, brandId, { from: first, to: last });
      await store.upkeep(last);
      await send(last, 2);
      await aggregate(store, brandId, { from: last, to: last });
      assert.deepEqual(await soFar(), [7, 7, 7, 7]);
      await send(first, 1);
      await aggregate(store, brandId, { from: first, to: first });
      assert.deepEqual(await soFar(), [8, 8, 8, 8]);
      await store.upkeep(last);
      await send(last, 1);
      await aggregate(store, brandId, { from: last, to: last });
      assert.deepEqual(await soFar(), [9, 9, 9, 9]);
    });
  });
}
