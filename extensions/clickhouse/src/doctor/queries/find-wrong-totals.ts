import { dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/aggregation-types.ts';
import { exampleLimit } from '../../../../../server/src/doctor/analytics/queries/find-dataset-differences.ts';
import { ofTotals } from '../../store/aggregation/earlier-sums.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import type { RunningTotals } from '../../store/coordination/totals-store.ts';
import { notHidden, shapes, totalsTable } from '../../store/dataset-shape.ts';
import { type Layers, pairsOf } from '../../store/layers.ts';
import { groupedOnDisk, integer, monthOf } from '../../store/literals.ts';
import { type FoundDifference, nameOfKey } from '../differences.ts';

/** The published running totals of a dataset, and the days that they have to include. */
export interface PublishedTotals {
  readonly totals: RunningTotals;
  readonly layers: Layers;
  /** Learners who are being erased: some of their rows may be gone. */
  readonly hiddenLearnerIds: readonly number[];
}

/**
 * Finds keys whose total is not the sum of their published days, is missing, or is there without such a day; `exampleLimit`
 * keys at most. One statement for all keys.
 */
export async function findWrongTotals(
  clickHouse: ClickHouse,
  brandId: number,
  dataset: DatasetName,
  {
    totals,
    layers,
    hiddenLearnerIds,
    signal,
  }: PublishedTotals & { readonly signal: AbortSignal | undefined },
): Promise<FoundDifference[]> {
  const shape = shapes[dataset];
  const { keys, cumulated } = shape;
  const { through } = totals;
  const ofBrand = `brand_id = ${integer(brandId)}${notHidden(shape, hiddenLearnerIds)}`;
  const columns = [...keys, ...cumulated].join(', ');
  const published = pairsOf(layers, (day) => day <= through, 'first') ?? 'false';
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
    const difference = (field: string, stored: string | null, actual: string | null) => ({
      day: through,
      id,
      field,
      stored,
      actual,
    });
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
