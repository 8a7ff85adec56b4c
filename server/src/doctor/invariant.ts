import type { Transaction } from '../postgres/transaction.ts';

/** An invariant across rows of the databases, beyond the constraints on single rows. */
export interface Invariant {
  /** The name of the check, also in reports. */
  readonly id: string;
  readonly tables: readonly string[];
  /** A sentence. */
  readonly holds: string;
  /** The effect of `--repair`; null: none, because both sides may be wrong. */
  readonly repair: string | null;
}

/**
 * An invariant of a brand's rows in the main database. Each value is compared with original data, never with another derived
 * value: one wrong value is one difference, and the order of repairs does not matter. Every transaction leaves derived values
 * consistent with their sources, and one statement sees the database between transactions: `sql` needs no lock.
 */
export interface MainInvariant extends Invariant {
  readonly scan: Scan;
  /** Selects `DifferenceRow`s of the brand `$1`, keys above `$2` up to and including `$3`; brand rows have no keys. */
  readonly sql: string;
  /** Absent if `repair` is null. Recomputes the rows with these keys, under the locks that their writers take. */
  readonly rewrite?: Rewrite;
}

export type Rewrite = (tx: Transaction, brandId: number, keys: readonly string[]) => Promise<void>;

export interface DifferenceRow {
  /** The scanned table's key as a string; passed to `rewrite`. */
  readonly key: string;
  readonly id: string;
  readonly field: string;
  readonly stored: string | null;
  readonly actual: string | null;
  readonly isRepairable: boolean;
}

/** A table that is scanned in batches, in the order of a unique index of its brand. */
export interface Scan {
  readonly table: 'products' | 'variants' | 'stock_levels' | 'stock_feeds' | 'sku_claims' | 'brands';
  readonly key: 'id' | 'sku';
  readonly batchSize: number;
}

export const productScan: Scan = { table: 'products', key: 'id', batchSize: 2_000 };
/** The brand's own row: one batch of one row. */
export const brandScan: Scan = { table: 'brands', key: 'id', batchSize: 1 };

/**
 * Turns columns into rows: `figures(['live_variants'], 'p', 't')` compares `p.live_variants` with `t.live_variants`,
 * and each pair is a row of `f (field, stored, actual)`. Use it after `from`, with the condition `differs`.
 */
export function figures(columns: readonly string[], stored: string, actual: string): string {
  const rows = columns.map((column) => `('${column}', ${stored}.${column}::text, ${actual}.${column}::text)`);
  return `cross join lateral (values ${rows.join(', ')}) as f (field, stored, actual)`;
}

export const differs = 'f.stored is distinct from f.actual';

/**
 * The row `t` of a view for the product `p`. Queried for one product after the other ("offset 0" ensures
 * that), which is linear without table statistics; as a plain join, 5,000 newly loaded products took 80 s.
 */
export function truthOf(
  view: 'product_variant_truth' | 'product_stock_truth',
  columns: readonly string[],
): string {
  return `cross join lateral (
    select ${columns.join(', ')} from ${view} where brand_id = p.brand_id and product_id = p.id offset 0
  ) as t`;
}
