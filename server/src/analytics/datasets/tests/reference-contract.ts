import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TestApps } from '../../../../test/support/test-apps.ts';
import { addDays, type Day, type DayRange, daysOf, yesterdayOf } from '../../day.ts';
import { draftEvent } from '../../tests/draft-events.ts';
import { contentCount, type DraftEvent, learnerCount, newModelledBrand } from '../../tests/modelled-brand.ts';

const dayCount = 6;

type Command =
  | { readonly do: 'append'; readonly events: readonly DraftEvent[] }
  | { readonly do: 'send again' }
  | { readonly do: 'opt out' | 'opt in' | 'erase'; readonly user: number }
  | { readonly do: 'unlist'; readonly content: number }
  | { readonly do: 'aggregate'; readonly first: number; readonly length: number };

const user = fc.integer({ min: 0, max: learnerCount - 1 });
const commandFrom = (firstDay: Day): fc.Arbitrary<Command> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('append' as const),
        events: fc.array(draftEvent(firstDay, dayCount), { minLength: 1, maxLength: 25 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('aggregate' as const),
        first: fc.integer({ min: 0, max: dayCount - 1 }),
        length: fc.integer({ min: 1, max: dayCount }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('opt out' as const, 'opt in' as const), user }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), user }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('send again' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('unlist' as const),
        content: fc.integer({ min: 0, max: contentCount - 1 }),
      }),
    },
  );

/** Random writes and aggregations of a brand, compared with a model in memory, on the store of the apps. */
export function describeDatasetsAgainstReference(apps: TestApps, numRuns: number): void {
  const last = addDays(yesterdayOf(apps.clock.now()), -2);
  const range: DayRange = { from: addDays(last, 1 - dayCount), to: last };
  const command = commandFrom(range.from);

  describe('every row of every dataset', () => {
    // [analytics-13] [analytics-18] [analytics-19] [analytics-20] [analytics-32] [analytics-33]
    // [analytics-34] [analytics-35] [analytics-36] [analytics-37] [analytics-38] [analytics-39] [internal-33]
    it('matches an independent computation, for any events in any order', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 4, maxLength: 14 }),
          fc.shuffledSubarray(daysOf(range), { minLength: dayCount }),
          fc.constantFrom(1, 3, 100),
          async (commands, order, perPage) => {
            const brand = await newModelledBrand(apps);
            const sent: DraftEvent[] = [];
            for (const step of commands) {
              if (step.do === 'append') {
                await brand.append(step.events);
                sent.push(...step.events);
              } else if (step.do === 'send again') await brand.append(sent);
              else if (step.do === 'aggregate') {
                const from = addDays(range.from, step.first);
                const to = addDays(from, step.length - 1);
                await brand.aggregate({ from, to: to < range.to ? to : range.to });
              } else if (step.do === 'unlist') await brand.unlist(step.content);
              else if (step.do === 'erase') await brand.erase(step.user);
              else await brand.setOptOut(step.user, step.do === 'opt out');
            }
            await brand.assertServed(range, perPage);

            // Aggregate every day again, one at a time in any order: the result must not depend on the order.
            for (const day of order) await brand.aggregate({ from: day, to: day });
            await brand.assertServed(range, 100);
          },
        ),
        { numRuns, endOnFailure: true },
      );
    });
  });
}
