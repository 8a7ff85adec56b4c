import { countDays, type Day, type DayRange, dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import type { WindowLayers } from '../coordination/read-window-layers.ts';
import { type DatasetShape, notHidden, shapes } from '../dataset-shape.ts';
import { hasOverlays, publishedOf } from '../layers.ts';
import { integer, within } from '../literals.ts';

export interface PageRows {
  readonly dataset: DatasetName;
  readonly brandId: number;
  readonly range: DayRange;
  /** Conditions on columns of the dataset. */
  readonly conditions: readonly string[];
  readonly columns: readonly string[];
}

/** Returns a select of all rows of the window, without an order; null if nothing is published. */
export function publishedRows(
  { dataset, brandId, range, conditions, columns }: PageRows,
  { layers, hiddenLearnerIds }: WindowLayers,
  order: string,
): string | null {
  const shape = shapes[dataset];
  const published = publishedOf(layers);
  if (published === null) return null;
  const all = [`brand_id = ${integer(brandId)}`, within(range), published, ...conditions].join(' and ');
  const rows = `select ${columns.join(', ')} from ${dataset} where ${all}${notHidden(shape, hiddenLearnerIds)}`;
  // The newest row of each key. Without corrections, each key has one row.
  const newest = hasOverlays(layers) ? `, generation desc limit 1 by ${shape.order.join(', ')}` : '';
  return `${rows} order by ${order}${newest}`;
}

/** A position in a dataset: the values of its order. */
export type PageKey = readonly (number | Day)[];

/** The part of a page that a statement reads. */
export interface PagePart {
  /** Rows of the leading key of `after`, rows of later leading keys, or both. */
  readonly of: 'leading key' | 'later keys' | 'all keys';
  readonly after: PageKey | null;
  readonly limit: number;
}

/**
 * Returns the statement of a page in the order of its dataset; null if nothing is published. The table has that order, so
 * ClickHouse reads from the key until the page is full.
 */
export function pageStatement(rows: PageRows, window: WindowLayers, part: PagePart): string | null {
  const shape = shapes[rows.dataset];
  const conditions =
    part.after === null ? rows.conditions : [...rows.conditions, following(shape, part.of, part.after)];
  const text = publishedRows({ ...rows, conditions }, window, shape.order.join(', '));
  // Without further conditions, a page is some consecutive rows: more threads and larger blocks take longer than reading them.
  const settings = rows.conditions.length === 0 ? ' settings max_threads = 1, max_block_size = 4096' : '';
  return text === null ? null : `${text} limit ${integer(part.limit)}${settings}`;
}

/** Days of a window from which one content is likely to have the rest of a page. */
const leastDays = 7;

/**
 * Returns whether to look for a page in the rows of its leading key first. That is a small range of the index, of which the rest
 * of a large table need not be compared with the key. Only content x learner has more rows of a leading key than a page.
 */
export function startsWithLeadingKey(
  { dataset, range, conditions }: PageRows,
  after: PageKey | null,
): boolean {
  return (
    dataset === 'content_engagement' &&
    after !== null &&
    conditions.length === 0 &&
    countDays(range) >= leastDays
  );
}

/** Written as nested alternatives: ClickHouse finds their ranges in the index, unlike those of compared tuples. */
function following({ order }: DatasetShape, of: PagePart['of'], key: PageKey): string {
  const valueAt = (place: number) => {
    const value = key[place] as number | Day;
    return typeof value === 'string' ? dayNumberOf(value) : integer(value);
  };
  const later = (place: number) => `${order[place]} > ${valueAt(place)}`;
  const same = (place: number) => `${order[place]} = ${valueAt(place)} and ${from(place + 1)}`;
  const from = (place: number): string =>
    place === order.length - 1 ? later(place) : `(${later(place)} or (${same(place)}))`;
  if (of === 'all keys') return from(0);
  return of === 'leading key' ? same(0) : later(0);
}
