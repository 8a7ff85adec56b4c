/** The thing that a row describes; its columns say which. */
export type RowKind = 'level' | 'location' | 'variant' | 'axis' | 'product';

/** The column that only rows of a kind have; the first match counts. */
const marks: readonly (readonly [column: string, kind: RowKind])[] = [
  ['quantity', 'level'],
  ['external_code', 'location'],
  ['product_sku', 'variant'],
  ['axis', 'axis'],
  ['sku', 'product'],
];

/** Returns null for columns that belong to no kind. */
export function rowKind(columns: readonly string[]): RowKind | null {
  return marks.find(([column]) => columns.includes(column))?.[1] ?? null;
}
