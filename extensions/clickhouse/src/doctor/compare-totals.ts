import type { DatasetName } from '../../../../server/src/analytics/store/aggregation-types.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import { countTotals } from '../store/aggregation/earlier-sums.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { findTotals } from '../store/coordination/totals-store.ts';
import type { FoundDifference } from './differences.ts';
import { findWrongTotals } from './queries/find-wrong-totals.ts';
import type { BrandRecords } from './queries/read-records.ts';

/**
 * Compares the published running totals of a dataset with the sums of its published days, and their number with its record
 * [D207].
 */
export async function compareTotals(
  { store, clickHouse }: { readonly store: Database; readonly clickHouse: ClickHouse },
  brandId: number,
  dataset: DatasetName,
  { records, signal }: { readonly records: BrandRecords; readonly signal: AbortSignal | undefined },
): Promise<FoundDifference[]> {
  const totals = records.totals.get(dataset);
  if (totals === undefined) return [];
  const { hiddenLearnerIds } = records;
  const published = { totals, layers: records.layers.get(dataset) ?? new Map(), hiddenLearnerIds };
  const found = await findWrongTotals(clickHouse, brandId, dataset, { ...published, signal });
  const rows = await countTotals(clickHouse, { brandId, dataset, hiddenLearnerIds }, totals);
  // An erasure that committed meanwhile has taken rows off the record, and may have deleted them.
  const last = await findTotals(store, brandId, dataset);
  if (last === null || last.generation !== totals.generation || last.rows !== totals.rows) return found;
  if (rows === totals.rows) return found;
  const difference = { field: 'rows', stored: String(totals.rows), actual: String(rows) };
  return [...found, { day: totals.through, id: totals.through, ...difference }];
}
