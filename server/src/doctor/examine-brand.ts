import type { Database } from '../postgres/database.ts';
import type { Batch, Check, DifferenceRow } from './check.ts';
import { checks } from './checks.ts';
import type { Finding, MoreDifferences } from './difference.ts';
import { findBatchEnd } from './queries/find-batch-end.ts';

export interface ExaminationOptions {
  /** True to repair differences where possible; if false, nothing is written. */
  readonly repair: boolean;
  /** Receives each finding as soon as it is known. */
  readonly report: (finding: Finding) => void;
  /** Receives the number of further findings, if only some are reported. */
  readonly reportMore?: (more: MoreDifferences) => void;
  /** Stops the examination between two batches by throwing the signal's reason. */
  readonly cancelled?: AbortSignal;
}

/**
 * Recomputes every derived value of a brand and compares it with the stored one. Works in batches, so that
 * neither this process nor a transaction grows with the brand; the server may be running.
 */
export async function examineBrand(
  database: Database,
  brandId: number,
  options: ExaminationOptions,
): Promise<void> {
  for (const check of checks) {
    for (let after = check.scan.first; ; ) {
      options.cancelled?.throwIfAborted();
      const upTo = await findBatchEnd(database, brandId, check.scan, after);
      if (upTo === null) break;
      await examineBatch(check, { database, brandId, batch: { after, upTo } }, options);
      after = upTo;
    }
  }
}

async function examineBatch(
  check: Check,
  { database, brandId, batch }: { database: Database; brandId: number; batch: Batch },
  { repair, report }: ExaminationOptions,
): Promise<void> {
  const rows = await check.find(database, brandId, batch);
  const repairable = rows.filter((row) => row.is_repairable && check.repair !== undefined);
  const isTried = repair && repairable.length > 0;
  if (isTried) {
    const keys = [...new Set(repairable.map(({ key }) => key))];
    await database.forBrand(brandId).transaction(async (tx) => check.repair?.(tx, brandId, keys));
  }
  // Check again: differences that remain do not count as repaired.
  const left = new Set((isTried ? await check.find(database, brandId, batch) : rows).map(nameOf));
  for (const row of rows) {
    const { id, field, stored, actual, is_repairable } = row;
    const isRepaired = isTried && !left.has(nameOf(row));
    report({
      check: check.name,
      brandId,
      id,
      field,
      stored,
      actual,
      isRepairable: is_repairable,
      isRepaired,
    });
  }
}

function nameOf({ key, field }: DifferenceRow): string {
  return JSON.stringify([key, field]);
}
