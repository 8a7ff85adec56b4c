import { datasetNames } from '../../analytics/store/aggregation-types.ts';
import { type Snapshot, streamSomeRows } from '../snapshot-store.ts';
import { type BrandTable, ofBrand } from './brand-tables-store.ts';

/**
 * Tables that describe rows in the ClickHouse of the cell, of which the other cell has none, and those of a store in PostgreSQL
 * that was moved to ClickHouse. They move empty [D215].
 */
export const leftBehind: ReadonlySet<string> = new Set([
  'event_batches',
  'generation_attempts',
  'stale_layers',
  'hidden_learners',
  'running_totals',
  'totals_marks',
  'learning_events',
  ...datasetNames,
]);

/** Returns the part of a table in the manifest, without its measure, and the stream of the brand's rows. */
export function memberOf(
  snapshot: Snapshot,
  table: BrandTable,
  { brandId, hasClickHouse }: { readonly brandId: number; readonly hasClickHouse: boolean },
) {
  const { schema, name, renumbered } = table;
  const columns = table.columns.filter((column) => column !== renumbered);
  const isLeftOut = hasClickHouse && schema === 'analytics' && leftBehind.has(name);
  const which = isLeftOut ? 'false' : ofBrand(table, brandId);
  const order = renumbered === null ? '' : ` order by "${renumbered}"`;
  return {
    part: { schema, name, columns, member: `${schema}.${name}.copy.zst` },
    stream: streamSomeRows(snapshot, { schema, name, columns }, `where ${which}${order}`),
  };
}
