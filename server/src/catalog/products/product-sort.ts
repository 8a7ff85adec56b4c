/** The columns by which the product list can be ordered [catalog-24]. */
const sortable = ['sku', 'created_at', 'updated_at'] as const;

export interface SortKey {
  readonly column: (typeof sortable)[number] | 'id';
  readonly descending: boolean;
}

/**
 * Parses `sort=sku,-updated_at`. Unknown and repeated fields are ignored; the default is `-updated_at`. Every order ends on
 * `id`, in the direction of the last field, so that pages neither skip nor repeat rows and an index can be read from either end
 * [platform-45]. `sku` is unique, so fields after it are dropped.
 */
export function parseSort(sort: string | undefined): SortKey[] {
  const keys: SortKey[] = [];
  for (const part of (sort ?? '').split(',')) {
    const descending = part.startsWith('-');
    const column = sortable.find((name) => name === part.slice(descending ? 1 : 0));
    if (column === undefined || keys.some((key) => key.column === column)) continue;
    keys.push({ column, descending });
    if (column === 'sku') return keys;
  }
  if (keys.length === 0) keys.push({ column: 'updated_at', descending: true });
  return [...keys, { column: 'id', descending: keys.at(-1)?.descending ?? true }];
}
