/** A table that is scanned in key order within one brand. */
export interface Scan {
  readonly table:
    | 'products'
    | 'variants'
    | 'stock_levels'
    | 'stock_movements'
    | 'stock_feeds'
    | 'sku_claims'
    | 'brands';
  /** The column of a unique index after the brand. */
  readonly key: 'id' | 'sku';
  readonly batchSize: number;
}

export const scan = (table: Scan['table'], key: Scan['key'] = 'id', batchSize = 10_000): Scan => ({
  table,
  key,
  batchSize,
});

/** The rows of a brand with a key above `after`, up to and including `upTo`. */
export interface Batch {
  readonly brandId: number;
  readonly after: string;
  readonly upTo: string;
}

export const productScan = scan('products', 'id', 2_000);
export const variantScan = scan('variants', 'id', 2_000);
export const levelScan = scan('stock_levels', 'id', 2_000);
/** A feed has up to 100,000 lines. */
export const feedScan = scan('stock_feeds', 'id', 20);
/** The brand's own row: one batch of one row. */
export const brandScan = scan('brands', 'id', 1);
