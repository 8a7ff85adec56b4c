import { type Day, type DayRange, dayNumberOf } from '../../../day.ts';
import type { DatasetName } from '../../aggregation-types.ts';
import type { WindowLayers } from '../coordination/read-window-layers.ts';
import { type DatasetShape, shapes } from '../dataset-shape.ts';
import { hasOverlays, pairsOf } from '../layers.ts';
import { integer, listOf, within } from '../literals.ts';

/** The rows of a page. */
export interface PageRows {
  readonly dataset: DatasetName;
  readonly brandId: number;
  readonly range: DayRange;
  /** Conditions on columns of the dataset. */
  readonly conditions: readonly string[];
  /** The columns to read. */
  readonly columns: readonly string[];
}

/** Returns a select of all rows of the window, without an order; null if nothing is published. */
export function publishedRows(
  { dataset, brandId, range, conditions, columns }: PageRows,
  { layers, hiddenLearnerIds }: WindowLayers,
  order: string,
): string | null {
  const shape = shapes[dataset];
  const published = pairsOf(layers, () => true, 'all');
  if (published === null) return null;
  const hidden =
    hiddenLearnerIds.length > 0 && shape.order.includes('user_id')
      ? [`user_id not in ${listOf(hiddenLearnerIds)}`]
      : [];
  const all = [`brand_id = ${integer(brandId)}`, within(range), published, ...hidden, ...conditions];
  const rows = `select ${columns.join(', ')} from ${dataset} where ${all.join(' and ')}`;
  // The newest row of each key. Without corrections, each key has one row.
  const newest = hasOverlays(layers) ? `, generation desc limit 1 by ${shape.order.join(', ')}` : '';
  return `${rows} order by ${order}${newest}`;
}

/**
 * Returns the statement of a page in the order of its dataset; null if nothing is published. The table has that order, so
 * ClickHouse reads from the key until the page is full.
 */
export function pageStatement(
  rows: PageRows,
  window: WindowLayers,
  { after, limit }: { readonly after: readonly (number | Day)[] | null; readonly limit: number },
): string | null {
  const shape = shapes[rows.dataset];
  const conditions = after === null ? rows.conditions : [...rows.conditions, afterKey(shape, after)];
  const text = publishedRows({ ...rows, conditions }, window, shape.order.join(', '));
  return text === null ? null : `${text} limit ${integer(limit)}`;
}

/** Written as nested alternatives: ClickHouse finds their ranges in the index, unlike those of compared tuples. */
function afterKey({ order }: DatasetShape, key: readonly (number | Day)[]): string {
  const valueAt = (place: number) => {
    const value = key[place] as number | Day;
    return typeof value === 'string' ? dayNumberOf(value) : integer(value);
  };
  const from = (place: number): string =>
    place === order.length - 1
      ? `${order[place]} > ${valueAt(place)}`
      : `(${order[place]} > ${valueAt(place)} or (${order[place]} = ${valueAt(place)} and ${from(place + 1)}))`;
  return from(0);
}
