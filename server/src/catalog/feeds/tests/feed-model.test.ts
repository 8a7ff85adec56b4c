import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newLocation, newSimple, newStockedParent } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { assertFeedsTrue, feedsPath, levelsOf, type SentLine, sendFeed } from './feeds.ts';

const apps = await createTestApps();
const observer = {
  feedFinished: () => {},
  chunkFailed: (_feed: string, error: unknown) => {
    throw error;
  },
};

interface ModelLevel {
  quantity: number;
  reserved: number;
  at: number;
}

/** The stock of a brand by the documented rules, applied one line after the other. */
class Model {
  readonly stockable = new Set(['A', 'B', 'P-1', 'P-2']);
  readonly parents = new Set(['P']);
  readonly locations = new Set(['L', 'M']);
  readonly levels = new Map<string, ModelLevel>();

  /** Returns the results of the lines of a feed. */
  apply(lines: readonly SentLine[], receivedAt: number): string[] {
    const timeOf = (line: SentLine) =>
      line.updated_at === undefined ? receivedAt : Date.parse(line.updated_at);
    return lines.map((line, index) => {
      const outdone = lines.some(
        (other, place) =>
          other.sku === line.sku &&
          other.location_code === line.location_code &&
          (timeOf(other) > timeOf(line) || (timeOf(other) === timeOf(line) && place > index)),
      );
      if (outdone) return 'superseded';
      if (this.parents.has(line.sku)) return 'not_stockable';
      if (!this.stockable.has(line.sku)) return 'unknown_sku';
      if (!this.locations.has(line.location_code)) return 'unknown_location';
      const place = `${line.sku}@${line.location_code}`;
      const level = this.levels.get(place);
      if (level !== undefined && timeOf(line) < level.at) return 'stale';
      const reserved = line.reserved ?? level?.reserved ?? 0;
      this.levels.set(place, { quantity: line.quantity, reserved, at: timeOf(line) });
      return level?.quantity === line.quantity && level.reserved === reserved ? 'unchanged' : 'applied';
    });
  }
}

const anyLine: fc.Arbitrary<SentLine> = fc.record(
  {
    sku: fc.constantFrom('A', 'B', 'P-1', 'P-2', 'P', 'X'),
    location_code: fc.constantFrom('L', 'M', 'L', 'M', 'NOWHERE'),
    quantity: fc.integer({ min: 0, max: 3 }),
    reserved: fc.integer({ min: 0, max: 2 }),
    updated_at: fc
      .integer({ min: 0, max: 5 })
      .map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()),
  },
  { requiredKeys: ['sku', 'location_code', 'quantity'] },
) as fc.Arbitrary<SentLine>;

const anyFeed = fc.array(anyLine, { minLength: 1, maxLength: 12 });

it('results, totals, levels and ledger equal those of the model, for any feeds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFeed, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (feeds, allFirst) => {
        const { client, brandId } = await apps.newBrand();
        await Promise.all(['L', 'M'].map((code) => newLocation(client, code)));
        for (const sku of ['A', 'B']) await newSimple(client, sku);
        await newStockedParent(client, 'P', 2);
        const model = new Model();
        const applyAll = async () => {
          while ((await applyBrandFeeds(apps.context, observer, brandId, 1_000)) !== 'finished');
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
