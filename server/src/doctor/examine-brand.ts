import type { Database } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import { catalogInvariants } from './catalog-invariants.ts';
import type { DifferenceRow, MainInvariant, Scan } from './invariant.ts';
import { type CheckReport, CheckTally, type Differences } from './report.ts';
import { feedInvariants, stockInvariants } from './stock-invariants.ts';

/** All invariants of the main database that its constraints do not enforce. */
export const mainInvariants: readonly MainInvariant[] = [
  ...catalogInvariants,
  ...stockInvariants,
  ...feedInvariants,
];

export interface ExaminationOptions {
  /** True to repair differences where possible; if false, nothing is written. */
  readonly repair: boolean;
  /** Called once for each check of a brand that finds something. */
  readonly report: (report: CheckReport) => void;
  /** Stops the examination between two batches by throwing the signal's reason. */
  readonly cancelled?: AbortSignal;
}

/** The rows of a brand with a key above `after`, up to and including `upTo`. */
interface Batch {
  readonly brandId: number;
  readonly after: string;
  readonly upTo: string;
}

/** Recomputes every derived value of a brand and compares it with the stored one, in batches. The server may be running. */
export async function examineBrand(
  database: Database,
  brandId: number,
  { repair, report, cancelled }: ExaminationOptions,
): Promise<void> {
  for (const invariant of mainInvariants) {
    const tally = new CheckTally();
    for (let after = invariant.scan.key === 'sku' ? '' : '0'; ; ) {
      cancelled?.throwIfAborted();
      const upTo = await findBatchEnd(database, brandId, invariant.scan, after);
      if (upTo === null) break;
      const { rows, left } = await examineBatch(database, invariant, { brandId, after, upTo }, repair);
      if (rows.length > 0) tally.add(differencesOf(rows), left === null ? null : differencesOf(left));
      after = upTo;
    }
    const found = tally.reportOf(invariant.id, brandId);
    if (found !== null) report(found);
  }
}

/** Returns what differs, and what still does after a repair; `left` is null if nothing was repaired. */
async function examineBatch(
  database: Database,
  invariant: MainInvariant,
  batch: Batch,
  repair: boolean,
): Promise<{ rows: DifferenceRow[]; left: DifferenceRow[] | null }> {
  const { brandId } = batch;
  const rows = await findDifferences(database, invariant, batch);
  const keys = new Set(rows.filter((row) => row.isRepairable).map(({ key }) => key));
  const { rewrite } = invariant;
  if (!repair || rewrite === undefined || keys.size === 0) return { rows, left: null };
  await database.forBrand(brandId).transaction(async (tx) => rewrite(tx, brandId, [...keys]));
  return { rows, left: await findDifferences(database, invariant, batch) };
}

function differencesOf(rows: readonly DifferenceRow[]): Differences {
  const listed = rows.map(({ id, field, stored, actual, isRepairable }) => {
    return { id, field, stored, actual, isRepairable };
  });
  return { found: rows.length, listed };
}

/** The last key of the batch that begins after `after`; null if none remains. */
async function findBatchEnd(
  database: Database,
  brandId: number,
  { table, key, batchSize }: Scan,
  after: string,
): Promise<string | null> {
  const type = key === 'sku' ? 'text' : 'bigint';
  const ofBrand = table === 'brands' ? 'id = $1' : 'brand_id = $1';
  const rows = await database.run(
    statement<{ key: string | null }>(
      `find_batch_end/${table}/${key}`,
      `select max(t.${key})::text as key from (
         select ${key} from ${table} where ${ofBrand} and ${key} > $2::${type} order by ${key} limit $3
       ) as t`,
      [brandId, after, batchSize],
      { long: true },
    ),
  );
  return rows[0]?.key ?? null;
}

async function findDifferences(
  database: Database,
  { id, scan, sql }: MainInvariant,
  { brandId, after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  const values = scan.table === 'brands' ? [brandId] : [brandId, after, upTo];
  return database.run(statement<DifferenceRow>(`find_${id}`, sql, values, { long: true }));
}
