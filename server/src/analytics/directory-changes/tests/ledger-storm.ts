import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TestApps } from '../../../../test/support/test-apps.ts';
import { addDays, type Day, type DayRange } from '../../day.ts';
import type { DatasetName } from '../../store/datasets.ts';
import { newSeededBrand, type SeededBrand } from '../../tests/seed.ts';

const users = ['a', 'b', 'c', 'd'];
const contents = ['episode/e1', 'program/p1', 'episode/e2', 'quest/q1'];
const markets = ['north', 'south'];

/** A step of a storm. Indexes refer to the lists above; `day` counts from the first day of the window. */
export type StormStep =
  | {
      readonly do: 'send';
      readonly events: readonly { user: number; content: number; day: number; kind: string }[];
    }
  | { readonly do: 'aggregate'; readonly day: number; readonly length: number }
  | { readonly do: 'opt out' | 'opt in' | 'erase'; readonly user: number }
  | { readonly do: 'unlist' | 'list'; readonly content: number }
  | { readonly do: 'delete market'; readonly market: number };

export const stormDays = 6;

const indexOf = (list: readonly unknown[]) => fc.integer({ min: 0, max: list.length - 1 });
const day = fc.integer({ min: 0, max: stormDays - 1 });
const user = indexOf(users);
const event = fc.record({
  user,
  content: indexOf(contents),
  day,
  kind: fc.constantFrom('view', 'view', 'completion', 'quiz'),
});

/** Generates steps, mostly events and aggregations; learners are rarely erased. */
export const stormStep: fc.Arbitrary<StormStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      events: fc.array(event, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('aggregate' as const),
      day,
      length: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('opt out' as const, 'opt in' as const), user }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), user }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('unlist' as const, 'list' as const),
      content: indexOf(contents),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete market' as const), market: indexOf(markets) }),
  },
);

/** A brand on which steps run over the internal surface. */
export interface StormedBrand extends SeededBrand {
  readonly range: DayRange;
  /** True if the store keeps rows of the dataset that are not served: learners are opted out, or their market is deleted. */
  hidesRowsOf(dataset: DatasetName): boolean;
  run(step: StormStep): Promise<void>;
}

/** Creates a brand whose window ends at `last`. */
export async function newStormedBrand(apps: TestApps, last: Day): Promise<StormedBrand> {
  const brand = await newSeededBrand(apps, { users, contents, markets });
  const range = { from: addDays(last, 1 - stormDays), to: last };
  const dayAt = (index: number) => addDays(range.from, Math.min(index, stormDays - 1));
  const excluded = new Set<number>();
  let isMarketDeleted = false;
  const url = `/brands/${brand.brandId}`;
  const optOut = async (index: number, isOut: boolean) => {
    await brand.put('users', [{ tu_id: users[index], analytics_opt_out: isOut }]);
    if (isOut) excluded.add(index);
    else excluded.delete(index);
  };
  const remove = async (path: string) => {
    const { status, text } = await apps.admin.delete(url + path);
    assert.ok(status === 204 || status === 404, text);
  };
  const run = async (step: StormStep): Promise<void> => {
    switch (step.do) {
      case 'send': {
        // The learners may have been erased, and the market deleted.
        const items = step.events.map(({ user: of, content, day: on, kind }, index) => {
          const [type, tu_id] = contents[content]?.split('/') ?? [];
          const market = index % 2 === 0 ? { market: markets[of % 2] } : {};
          const occurred_at = `${dayAt(on)}T12:00:00Z`;
          return {
            event_id: crypto.randomUUID(),
            occurred_at,
            kind,
            user: users[of],
            content: { type, tu_id },
            ...market,
          };
        });
        const { status, text } = await apps.admin.post(`${url}/events`, { items });
        return assert.equal(status, 200, text);
      }
      case 'aggregate':
        return brand.aggregate({ from: dayAt(step.day), to: dayAt(step.day + step.length - 1) });
      case 'opt out':
      case 'opt in':
        return optOut(step.user, step.do === 'opt out');
      case 'erase':
        excluded.delete(step.user);
        return remove(`/users/${users[step.user]}`);
      case 'unlist':
        return remove(`/contents/${contents[step.content]}`);
      case 'list': {
        const [type, tu_id] = contents[step.content]?.split('/') ?? [];
        return brand.put('contents', [{ type, tu_id }]);
      }
      case 'delete market':
        isMarketDeleted = true;
        return remove(`/markets/${markets[step.market]}`);
    }
  };
  const hidesRowsOf = (dataset: DatasetName) =>
    dataset === 'daily' ? isMarketDeleted : dataset !== 'contents' && excluded.size > 0;
  return { ...brand, range, hidesRowsOf, run };
}
