import { type BrandClient, type DemoBrand, shareOut } from '../client/demo-brand.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { Step } from '../report.ts';
import { type DayRange, windowsOf } from './day.ts';
import { RowComparison, RowOrder } from './expected/compare-rows.ts';
import type { ExpectedRow } from './expected/served-rows.ts';
import { pagesOf, paths, type Reading } from './pages.ts';

/** The clients that together reach the rate limit of the brand [platform-46]. */
export const analyticsLimits = { requestsPerMinute: 240, keys: 2 };
export const readers = ({ clients }: DemoBrand): readonly BrandClient[] =>
  clients.slice(0, analyticsLimits.keys);

/**
 * Reads a whole dataset window by window, and checks that it has every row once, with every field as expected, and no
 * other row.
 */
export async function verifyDataset(
  run: DataSetRun,
  brand: DemoBrand,
  { range, windowDays, pageSize, dataset }: Omit<Reading, 'window'> & { range: DayRange; windowDays: number },
  expected: readonly ExpectedRow[],
): Promise<void> {
  const name = `${paths[dataset]}, ${windowDays} days`;
  await run.step(brand, name, expected.length, (step) =>
    shareOut(readers(brand), windowsOf(range, windowDays), async (client, window) => {
      const rows = inWindow(expected, window);
      if (dataset !== 'daily') return verifyReading(step, client, { dataset, window, pageSize }, rows);
      const isOfBrand = ({ row }: ExpectedRow) => row.market === null;
      await verifyReading(step, client, { dataset, window, pageSize }, rows.filter(isOfBrand));
      const byMarket = { dataset, window, pageSize, filter: { group_by: 'market' } };
      await verifyReading(
        step,
        client,
        byMarket,
        rows.filter((row) => !isOfBrand(row)),
      );
    }),
  );
}

export function inWindow(expected: readonly ExpectedRow[], { from, to }: DayRange): ExpectedRow[] {
  return expected.filter(({ row }) => row.date >= from && row.date <= to);
}

/** Reads all pages of one window, and compares. */
export async function verifyReading(
  step: Step,
  client: BrandClient,
  reading: Reading,
  expected: readonly ExpectedRow[],
): Promise<void> {
  const comparison = new RowComparison(expected);
  const order = new RowOrder(reading.dataset);
  for await (const rows of pagesOf(step, client, reading, expected.length)) {
    for (const row of rows) {
      for (const difference of comparison.differencesOf(row)) step.differs(difference);
      const fault = order.faultOf(row);
      if (fault !== null) step.differs(fault);
    }
    step.advance(rows.length);
  }
  for (const difference of comparison.missing()) step.differs(difference);
}
