// processes, alone: random feeds, compared with a model
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { assertFeedsTrue, feedsPath, levelsOf, type SentLine, sendFeed, strictObserver } from './feeds.ts';
import { newModelBrand, StockModel } from './stock-model.ts';

const apps = await createTestApps();

const anyLine: fc.Arbitrary<SentLine> = fc.record(
  {
    sku: fc.constantFrom('A', 'B', 'P-1', 'P-2', 'P', 'X'),
    location_code: fc.constantFrom('L', 'M', 'L', 'M', 'OFF', 'NOWHERE'),
    quantity: fc.integer({ min: 0, max: 3 }),
    reserved: fc.integer({ min: 0, max: 2 }),
    updated_at: fc
      .integer({ min: 0, max: 5 })
      .map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()),
  },
  { requiredKeys: ['sku', 'location_code', 'quantity'] },
) as fc.Arbitrary<SentLine>;

/** Chunks of any sizes. */
function sizesFrom(sizes: fc.Stream<number>) {
  return {
    note: () => {},
    get lines(): number {
      return sizes.next().value as number;
    },
  };
}

const anyFeed = fc.array(anyLine, { minLength: 1, maxLength: 12 });

it('results, totals, levels and ledger equal those of the model, for any feeds in chunks of any sizes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFeed, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      async (feeds, allFirst, sizes) => {
        const { client, brandId } = await newModelBrand(apps);
        const model = new StockModel();
        const applyAll = async () => {
          while (
            (await applyBrandFeeds(apps.context, strictObserver, brandId, {
              sliceMs: 1_000,
              size: sizesFrom(sizes),
            })) !== 'finished'
          );
        };

        const sent: { id: string; lines: readonly SentLine[] }[] = [];
        for (const lines of feeds) {
          const { json } = await sendFeed(client, lines);
          sent.push({ id: json.feed_id, lines });
          if (!allFirst) await applyAll();
        }
        await applyAll();

        for (const { id, lines } of sent) {
          const report = await ok(client.get(`${feedsPath}/${id}`));
          const expected = model.apply(lines, Date.parse(report.received_at));
          assert.deepEqual(
            report.lines.data.map(({ result }: { result: string }) => result),
            expected,
          );
          const counts = Object.fromEntries(Map.groupBy(expected, (result) => result));
          assert.deepEqual(report.totals, {
            received: lines.length,
            ...Object.fromEntries(Object.entries(counts).map(([result, { length }]) => [result, length])),
          });
        }
        const levels = [...(await levelsOf(apps, brandId))].map(
          ([place, { quantity, reserved, source_updated_at }]) => [
            place,
            { quantity, reserved, at: source_updated_at.getTime() },
          ],
        );
        assert.deepEqual(Object.fromEntries(levels), Object.fromEntries(model.levels));
      },
    ),
    { numRuns: 40 },
  );
  await assertFeedsTrue(apps);
});
