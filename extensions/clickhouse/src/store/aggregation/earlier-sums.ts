import { type Day, dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import type { ClickHouse } from '../clickhouse.ts';
import { findTotals, type RunningTotals, retireTotals } from '../coordination/totals-store.ts';
import { type DatasetShape, notHidden, shapes, totalsTable } from '../dataset-shape.ts';
import { type Layers, pairsOf } from '../layers.ts';
import { integer, monthOf } from '../literals.ts';

/** The published rows of a dataset that come before a day. */
export interface EarlierRows {
  readonly brandId: number;
  readonly layers: Layers;
  /** Totals of a part of these rows; null: there are none. */
  readonly totals: RunningTotals | null;
}

/**
 * Returns a select of rows whose sums by key are the running totals before a day: the totals that are published, and the rows of
 * the days since. Null if there are no such rows.
 *
 * @param condition on the keys; null: all of them
 */
export function earlierRows(
  { name, keys, cumulated }: DatasetShape,
  { brandId, layers, totals }: EarlierRows,
  before: Day,
  condition: string | null,
): string | null {
  const columns = [...keys, ...cumulated].join(', ');
  const ofBrand = `brand_id = ${integer(brandId)}`;
  const some = condition === null ? '' : ` and ${condition}`;
  const parts: string[] = [];
  if (totals !== null)
    parts.push(`select ${columns} from ${totalsTable(name)} where ${ofBrand} and ${ofTotals(totals)}${some}`);
  const published = pairsOf(layers, (day) => day < before && day > (totals?.through ?? ''), 'first');
  if (published !== null) {
    const since =
      totals === null
        ? ''
        : `month >= ${monthOf(totals.through)} and day > ${dayNumberOf(totals.through)} and `;
    parts.push(
      `select ${columns} from ${name}
       where ${ofBrand} and ${since}month <= ${monthOf(before)} and day < ${dayNumberOf(before)} and ${published}${some}`,
    );
  }
  return parts.length === 0 ? null : parts.join(' union all ');
}

/** A condition on the rows of totals. */
export function ofTotals({ through, generation }: Omit<RunningTotals, 'rows'>): string {
  return `month = ${monthOf(through)} and day = ${dayNumberOf(through)} and generation = ${integer(generation)}`;
}

/**
 * Returns the totals of a dataset that a change of days from `from` on may use. Withdraws them if they include one of these days,
 * or if ClickHouse does not have all of their rows, as after a restore of one of the databases. The caller holds the lock of the
 * brand's datasets.
 */
export async function takeTotals(
  tx: Transaction,
  clickHouse: ClickHouse,
  { from, ...of }: CountedTotals & { readonly from: Day },
): Promise<RunningTotals | null> {
  const { brandId, dataset } = of;
  const totals = await findTotals(tx, brandId, dataset);
  if (totals === null) return null;
  if (totals.through < from && (await countTotals(clickHouse, of, totals)) === totals.rows) return totals;
  await retireTotals(tx, brandId, dataset);
  return null;
}

interface CountedTotals {
  readonly brandId: number;
  readonly dataset: DatasetName;
  /** Learners whose erasure is not finished. */
  readonly hiddenLearnerIds: readonly number[];
}

/** Counts the rows of totals that ClickHouse has, without those of hidden learners. */
export function countTotals(
  clickHouse: ClickHouse,
  { brandId, dataset, hiddenLearnerIds }: CountedTotals,
  totals: Omit<RunningTotals, 'rows'>,
): Promise<number> {
  return clickHouse.count(
    totalsTable(dataset),
    `brand_id = ${integer(brandId)} and ${ofTotals(totals)}${notHidden(shapes[dataset], hiddenLearnerIds)}`,
  );
}
