import { type Snapshot, streamSomeRows } from '../../../server/src/backup/snapshot-store.ts';
import { type BrandTable, ofBrand } from './brand-tables-store.ts';

/** Returns the part of a table in the manifest, without its measure, and the stream of the brand's rows. */
export function memberOf(
  snapshot: Snapshot,
  table: BrandTable,
  { brandId, leftBehind }: { readonly brandId: number; readonly leftBehind: ReadonlySet<string> },
) {
  const { schema, name, renumbered } = table;
  const columns = table.columns.filter((column) => column !== renumbered);
  const isLeftOut = schema === 'analytics' && leftBehind.has(name);
  const which = isLeftOut ? 'false' : ofBrand(table, brandId);
  const order = renumbered === null ? '' : ` order by "${renumbered}"`;
  return {
    part: { schema, name, columns, member: `${schema}.${name}.copy.zst` },
    stream: streamSomeRows(snapshot, { schema, name, columns }, `where ${which}${order}`),
  };
}
