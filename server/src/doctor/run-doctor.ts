import type { Database } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import { type DoctorAnalytics, examineAnalytics } from './examine-analytics.ts';
import { type ExaminationOptions, examineBrand } from './examine-brand.ts';

export interface DoctorSummary {
  readonly brands: number;
  readonly found: number;
  readonly repaired: number;
  /** Differences that were found and not repaired. */
  readonly left: number;
  /** The days of datasets that were not compared, or not completely, over all brands. */
  readonly skipped_days: number;
}

/**
 * Recomputes all derived data, brand by brand, and reports mismatches with the stored values; also in the analytics store, if it
 * is given. Several runs may overlap, with servers and workers running.
 */
export async function runDoctor(
  database: Database,
  options: ExaminationOptions,
  analytics?: DoctorAnalytics,
): Promise<DoctorSummary> {
  let [brands, found, repaired, skipped_days] = [0, 0, 0, 0];
  const counting: ExaminationOptions = {
    ...options,
    report: (report) => {
      found += report.found;
      repaired += report.repaired;
      options.report(report);
    },
  };
  for (let id = await findNextBrand(database, 0); id !== null; id = await findNextBrand(database, id)) {
    brands += 1;
    await examineBrand(database, id, counting);
    if (analytics !== undefined) skipped_days += await examineAnalytics(database, analytics, id, counting);
  }
  return { brands, found, repaired, left: found - repaired, skipped_days };
}

/** The id of the brand that follows `after`; null after the last one. */
async function findNextBrand(database: Database, after: number): Promise<number | null> {
  const rows = await database.run(
    statement<{ id: number }>(
      'find_next_brand',
      'select id from brands where id > $1 order by id limit 1',
      [after],
      { long: true },
    ),
  );
  return rows[0]?.id ?? null;
}
