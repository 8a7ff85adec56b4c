import type { Database } from '../postgres/database.ts';
import type { Finding, MoreDifferences } from './difference.ts';
import type { DifferenceRow, MainInvariant } from './invariants/invariant.ts';
import { mainInvariants } from './invariants/main-invariants.ts';
import { findBatchEnd, findDifferences } from './queries/find-batches.ts';

export interface ExaminationOptions {
  /** True to repair differences where possible; if false, nothing is written. */
  readonly repair: boolean;
  readonly report: (finding: Finding) => void;
  /** Receives the number of further findings, if only some are reported. */
  readonly reportMore?: (more: MoreDifferences) => void;
  /** Stops the examination between two batches by throwing the signal's reason. */
  readonly cancelled?: AbortSignal;
}

/** Recomputes every derived value of a brand and compares it with the stored one, in batches. The server may be running. */
export async function examineBrand(
  database: Database,
  brandId: number,
  options: ExaminationOptions,
): Promise<void> {
  for (const invariant of mainInvariants)
    for (const [place, query] of invariant.finds.entries())
      for (let after = query.scan.key === 'sku' ? '' : '0'; ; ) {
        options.cancelled?.throwIfAborted();
        const upTo = await findBatchEnd(database, brandId, query.scan, after);
        if (upTo === null) break;
        const batch = { brandId, after, upTo };
        const find = () => findDifferences(database, `${invariant.id}/${place}`, query, batch);
        await examineBatch(database, invariant, { brandId, find }, options);
        after = upTo;
      }
}

async function examineBatch(
  database: Database,
  { id: check, rewrite }: MainInvariant,
  { brandId, find }: { readonly brandId: number; readonly find: () => Promise<DifferenceRow[]> },
  { repair, report }: ExaminationOptions,
): Promise<void> {
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
