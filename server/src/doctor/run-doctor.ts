import type { Database } from '../postgres/database.ts';
import { type ExaminationOptions, examineBrand } from './examine-brand.ts';
import { findNextBrand } from './queries/find-next-brand.ts';

export interface DoctorSummary {
  readonly brands: number;
  readonly found: number;
  readonly repaired: number;
  /** Found and not repaired. */
  readonly left: number;
}

/**
 * Works every rollup, counter, copy and ledger sum of every brand out anew, brand by brand, and reports what differs
 * from what is kept. Any number may run at once, beside servers and workers.
 */
export async function runDoctor(database: Database, options: ExaminationOptions): Promise<DoctorSummary> {
  let brands = 0;
  let found = 0;
  let repaired = 0;
  for (let id = await findNextBrand(database, 0); id !== null; id = await findNextBrand(database, id)) {
    brands += 1;
    await examineBrand(database, id, {
      ...options,
      report: (finding) => {
        found += 1;
        if (finding.isRepaired) repaired += 1;
        options.report(finding);
      },
    });
  }
  return { brands, found, repaired, left: found - repaired };
}
