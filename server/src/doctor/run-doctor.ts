import type { Database } from '../postgres/database.ts';
import type { Skipped } from './analytics/examination.ts';
import { type DoctorAnalytics, examineBrandAnalytics } from './analytics/examine-brand-analytics.ts';
import { type ExaminationOptions, examineBrand } from './examine-brand.ts';
import { findNextBrand } from './queries/find-batches.ts';

export interface DoctorSummary {
  readonly brands: number;
  readonly found: number;
  readonly repaired: number;
  /** Differences that were found and not repaired. */
  readonly left: number;
  /** The data that was not compared, over all brands; null without an analytics store. */
  readonly skipped: Skipped | null;
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
  let brands = 0;
  let found = 0;
  let repaired = 0;
  const counting: ExaminationOptions = {
    ...options,
    report: (finding) => {
      found += 1;
      if (finding.isRepaired) repaired += 1;
      options.report(finding);
    },
    reportMore: (more) => {
      found += more.found;
      repaired += more.repaired;
      options.reportMore?.(more);
    },
  };
  let skipped: Skipped | null = null;
  for (let id = await findNextBrand(database, 0); id !== null; id = await findNextBrand(database, id)) {
    brands += 1;
    await examineBrand(database, id, counting);
    if (analytics !== undefined)
      skipped = added(skipped, await examineBrandAnalytics(database, analytics, id, counting));
  }
  return { brands, found, repaired, left: found - repaired, skipped };
}

function added(sum: Skipped | null, next: Skipped): Skipped {
  if (sum === null) return next;
  const kinds = Object.keys(next) as (keyof Skipped)[];
  return Object.fromEntries(kinds.map((kind) => [kind, sum[kind] + next[kind]])) as Skipped;
}
