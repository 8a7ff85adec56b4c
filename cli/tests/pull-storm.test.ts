// nightly: fills warehouses in a random storm, for half a minute
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Brandport } from '../../client/src/index.ts';
import { startSdkService } from '../../client/tests/sdk-service.ts';
import { addDays, yesterdayOf } from '../../server/src/analytics/day.ts';
import {
  newStormedBrand,
  type StormStep,
  stormDays,
  stormStep,
} from '../../server/src/analytics/directory-changes/tests/ledger-storm.ts';
import { datasetNames } from '../src/columns/datasets.ts';
import type { FlatRow } from '../src/columns/flat-rows.ts';
import { newFolder, pullOnce, servedRows, settle, storedRows } from './pull-kit.ts';

const { apps, clientUrl } = await startSdkService();

const everyPair: StormStep = {
  do: 'send',
  events: Array.from({ length: 16 }, (_, n) => ({
    user: n % 4,
    content: Math.floor(n / 4),
    day: n % stormDays,
    kind: 'view',
  })),
};

describe('a warehouse in a storm of late events, opt-outs and erasures', () => {
  // [D152]
  it('has the rows of the service after each run, with running totals and without', async () => {
    const folder = await newFolder();
    let storms = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(stormStep, { minLength: 7, maxLength: 7 }), async (steps) => {
        storms += 1;
        const brand = await newStormedBrand(apps, addDays(yesterdayOf(apps.clock.now()), -1));
        const brandport = new Brandport({ baseUrl: clientUrl, apiKey: brand.apiKey });
        const place = join(folder, `storm-${storms}`);
        const run = { url: clientUrl, apiKey: brand.apiKey, place };
        await brand.run(everyPair);
        await brand.aggregate(brand.range);
        for (const step of steps) {
          await brand.run(step);
          await settle(apps, brand.brandId);
          await pullOnce(run);
          await pullOnce({ ...run, place: `${place}-daily`, cumulative: false });
          for (const dataset of datasetNames) {
            const served = await servedRows(brandport, dataset, brand.range);
            const what = `${dataset} after ${JSON.stringify(step)}`;
            assert.deepEqual(await storedRows(place, dataset), served, what);
            assert.deepEqual(await storedRows(`${place}-daily`, dataset), withoutTotals(served), what);
          }
        }
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });
});

function withoutTotals(days: Record<string, FlatRow[]>): Record<string, FlatRow[]> {
  const isKept = ([name]: [string, unknown]) => !name.startsWith('cumulative_');
  const kept = (row: FlatRow) => Object.fromEntries(Object.entries(row).filter(isKept));
  return Object.fromEntries(Object.entries(days).map(([date, rows]) => [date, rows.map(kept)]));
}
