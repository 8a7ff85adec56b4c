interface SizeKeyword {
  readonly type: 'array' | 'object';
  /** Counts in a value of that type. What has the wrong type within it counts as nothing: another keyword reports it. */
  readonly measure: (value: object) => number;
}

const utf8 = new TextEncoder();

/** Keywords of request schemas that limit what a value has in all, which JSON Schema cannot say. The SDK has a copy. */
export const sizeKeywords: Readonly<Record<string, SizeKeyword>> = {
  /** The entries of all `values` of the items [catalog-131]. */
  'x-maxValues': {
    type: 'array',
    measure: (items) => (items as unknown[]).reduce<number>((sum, item) => sum + valuesOf(item), 0),
  },
  /** The bytes of all strings of the entries, in UTF-8 [catalog-132]. */
  'x-maxTextBytes': {
    type: 'object',
    measure: (entries) => Object.values(entries).reduce<number>((sum, entry) => sum + textBytes(entry), 0),
  },
};

function valuesOf(item: unknown): number {
  const { values } = (item ?? {}) as { readonly values?: unknown };
  return Array.isArray(values) ? values.length : 0;
}

function textBytes(entry: unknown): number {
  if (typeof entry !== 'object' || entry === null) return 0;
  return Object.values(entry).reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? utf8.encode(text).length : 0),
    0,
  );
}
