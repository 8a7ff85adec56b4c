import type { Database } from '../postgres/database.ts';
import type { Finding, MoreDifferences } from './difference.ts';
import type { DifferenceRow, MainInvariant } from './invariants/invariant.ts';
import { mainInvariants } from './invariants/main-invariants.ts';
import type { Batch } from './invariants/scan.ts';
import { findBatchEnd, findDifferences } from './queries/find-batches.ts';

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
  for (const invariant of mainInvariants)
    for (const [place, { scan }] of invariant.finds.entries())
      for (let after = scan.key === 'sku' ? '' : '0'; ; ) {
        options.cancelled?.throwIfAborted();
        const upTo = await findBatchEnd(database, brandId, scan, after);
        if (upTo === null) break;
        await examineBatch(database, invariant, { place, batch: { brandId, after, upTo } }, options);
        after = upTo;
      }
}

async function examineBatch(
  database: Database,
  invariant: MainInvariant,
  { place, batch }: { place: number; batch: Batch },
  { repair, report }: ExaminationOptions,
): Promise<void> {
  const { id: check, rewrite } = invariant;
  const { brandId } = batch;
  const find = () => findDifferences(database, invariant, place, batch);
  const rows = await find();
  const repairable = rows.filter((row) => row.is_repairable && rewrite !== undefined);
  const isTried = repair && repairable.length > 0;
  if (isTried) {
    const keys = [...new Set(repairable.map(({ key }) => key))];
    await database.forBrand(brandId).transaction(async (tx) => rewrite?.(tx, brandId, keys));
  }
  // Find again: differences that remain do not count as repaired.
  const left = new Set((isTried ? await find() : rows).map(nameOf));
  for (const row of rows) {
    const { id, field, stored, actual, is_repairable: isRepairable } = row;
    const isRepaired = isTried && !left.has(nameOf(row));
    report({ check, brandId, id, field, stored, actual, isRepairable, isRepaired });
  }
}

function nameOf({ key, field }: DifferenceRow): string {
  return JSON.stringify([key, field]);
}
