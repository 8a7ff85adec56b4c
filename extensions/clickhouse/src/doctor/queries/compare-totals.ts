import { dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import type { Database } from '../../../../../server/src/postgres/database.ts';
import { countTotals, ofTotals } from '../../store/aggregation/earlier-sums.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import { findTotals, type RunningTotals } from '../../store/coordination/totals-store.ts';
import { notHidden, shapes, totalsTable } from '../../store/dataset-shape.ts';
import { pairsOf } from '../../store/layers.ts';
import { groupedOnDisk, integer, monthOf } from '../../store/literals.ts';
import { differenceOf, exampleLimit, type FoundDifference, nameOfKey } from '../differences.ts';
import type { BrandRecords } from './read-records.ts';

export interface ExaminedClickHouse {
  readonly store: Database;
  readonly clickHouse: ClickHouse;
}

interface ComparedTotals {
  readonly records: BrandRecords;
  readonly signal: AbortSignal | undefined;
}

/** Compares published running totals with the sums of published days, and their number with its record [D207]. */
export async function compareTotals(
  { store, clickHouse }: ExaminedClickHouse,
  brandId: number,
  dataset: DatasetName,
  { records, signal }: ComparedTotals,
): Promise<FoundDifference[]> {
  const totals = records.totals.get(dataset);
  if (totals === undefined) return [];
  const { hiddenLearnerIds } = records;
  const found = await findWrongKeys(clickHouse, { brandId, dataset, totals }, { records, signal });
  const rows = await countTotals(clickHouse, { brandId, dataset, hiddenLearnerIds }, totals);
  // An erasure that committed meanwhile has taken rows off the record, and may have deleted them.
  const last = await findTotals(store, brandId, dataset);
  if (last === null || last.generation !== totals.generation || last.rows !== totals.rows) return found;
  if (rows === totals.rows) return found;
  const values = { stored: String(totals.rows), actual: String(rows) };
  return [...found, differenceOf(totals.through, 'rows', values)];
}

/**
 * Finds keys whose total is not the sum of their published days, is missing, or is there without such a day; `exampleLimit`
 * keys at most. One statement for all keys.
 */
async function findWrongKeys(
  clickHouse: ClickHouse,
  { brandId, dataset, totals }: { brandId: number; dataset: DatasetName; totals: RunningTotals },
  { records: { layers, hiddenLearnerIds }, signal }: ComparedTotals,
): Promise<FoundDifference[]> {
  const shape = shapes[dataset];
  const { keys, cumulated } = shape;
  const { through } = totals;
  const ofBrand = `brand_id = ${integer(brandId)}${notHidden(shape, hiddenLearnerIds)}`;
  const columns = [...keys, ...cumulated].join(', ');
  const published = pairsOf(layers.get(dataset) ?? new Map(), (day) => day <= through, 'first') ?? 'false';
  const wrong = await clickHouse.rows(
    `select ${keys.join(', ')}, countIf(is_total) as totals, countIf(not is_total) as rows,
       ${cumulated.map(bothSums).join(', ')}
     from (
       select ${columns}, 1 as is_total from ${totalsTable(dataset)} where ${ofBrand} and ${ofTotals(totals)}
       union all
       select ${columns}, 0 as is_total from ${dataset}
       where ${ofBrand} and month <= ${monthOf(through)} and day <= ${dayNumberOf(through)} and ${published}
     )
     group by ${keys.join(', ')}
     having totals != 1 or rows = 0 or ${cumulated.map((column) => `stored_${column} != actual_${column}`).join(' or ')}
     order by ${keys.join(', ')} limit ${exampleLimit}
     ${groupedOnDisk}`,
    { signal },
  );
  return wrong.flatMap((values) => {
    const id = nameOfKey(dataset, through, values);
    const [copies = '', rows = '', ...sums] = values.slice(keys.length);
    const difference = (field: string, stored: string | null, actual: string | null) =>
      differenceOf(through, field, { stored, actual }, id);
    if (copies === '0') return [difference('total', null, 'present')];
    if (rows === '0') return [difference('total', 'present', null)];
    if (copies !== '1') return [difference('copies', copies, '1')];
    return cumulated.flatMap((column, place) => {
      const [stored = null, actual = null] = sums.slice(2 * place);
      return stored === actual ? [] : [difference(column, stored, actual)];
    });
  });
}

const bothSums = (column: string) =>
  `sumIf(${column}, is_total) as stored_${column}, sumIf(${column}, not is_total) as actual_${column}`;
