import type { SourceTime } from '../../lib/source-time.ts';
import type { Conditions } from '../../postgres/conditions.ts';
import { column, epochMs, type RowOf } from '../../postgres/json-rows.ts';
import { sourceTimeSql, statement, withMicrosSql } from '../../postgres/statement.ts';
import type { StockLock } from './brand-stock-store.ts';
import type { StockLevel } from './stock-level.ts';

/** The time of the source of a level `l`. */
export const levelTimeSql = withMicrosSql('l.source_updated_at', 'l.source_micros');

/**
 * Writes a new SKU to the levels of a product (`variantId` null) or variant, and returns their ids. Movements keep theirs. Lock
 * the stock before the new SKU is written: an adjustment that holds the lock may still wait to reference the product's or the
 * variant's row, which a new SKU locks.
 */
export async function renameStockLevels(
  { tx, brandId, stampedAt }: StockLock,
  renamed: { readonly productId: number; readonly variantId: number | null; readonly sku: string },
): Promise<number[]> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'rename_stock_levels',
      `update stock_levels set sku = $4, updated_at = $5
       where brand_id = $1 and product_id = $2 and variant_id is not distinct from $3
       returning id`,
      [brandId, renamed.productId, renamed.variantId, renamed.sku, stampedAt],
    ),
  );
  return rows.map(({ id }) => id);
}

/**
 * Hides the levels of a variant and returns their ids: they keep quantities and ledger, and appear nowhere. Refresh the
 * product's stock afterwards (`refreshProductStock`).
 */
export async function hideVariantLevels(
  { tx, brandId, stampedAt }: StockLock,
  variantId: number,
): Promise<number[]> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'hide_variant_levels',
      `update stock_levels l set is_hidden = true, updated_at = $3
       where l.brand_id = $1 and l.variant_id = $2
         and l.product_id = (select v.product_id from variants v where v.brand_id = $1 and v.id = $2)
       returning l.id`,
      [brandId, variantId, stampedAt],
    ),
  );
  return rows.map(({ id }) => id);
}

export interface LevelFilter {
  readonly sku?: string | undefined;
  readonly location?: string | undefined;
  /** The minimum of `source_updated_at`, inclusive. */
  readonly updatedSince?: SourceTime | undefined;
}

/** The columns of a level `l` with its owners, joined by `levelOwners`. */
export const levelColumns = {
  sku: column<string>('l.sku'),
  productTuId: column<string>('p.tu_id'),
  variantTuId: column<string | null>('v.tu_id'),
  location: column<string>('l.location_code'),
  quantity: column<number>('l.quantity'),
  reserved: column<number>('l.reserved'),
  sourceUpdatedAt: column<SourceTime>(sourceTimeSql(levelTimeSql)),
  updatedAt: epochMs('l.updated_at'),
};

export const storedLevelColumns = `l.product_id, l.variant_id, l.sku, l.location_code, l.quantity, l.reserved,
  l.source_updated_at, l.source_micros, l.updated_at`;

/**
 * Joins the product `p` and the variant `v` of levels `l` of brand `$1`. Look-ups ("offset 0"): a join for any page size
 * expects a tenth of the table, and reads all products.
 */
export const levelOwners = `cross join lateral (
    select p.tu_id from products p where p.brand_id = $1 and p.id = l.product_id offset 0
  ) as p
  left join lateral (
    select v.tu_id from variants v where v.brand_id = $1 and v.id = l.variant_id offset 0
  ) as v on true`;

export function addLevelFilter(
  where: Conditions,
  alias: string,
  { sku, location, updatedSince }: LevelFilter,
): void {
  where.add('s', (parameter) => `${alias}.sku = ${parameter}`, sku);
  where.add('l', (parameter) => `${alias}.location_code = ${parameter}`, location);
  where.add(
    'u',
    (parameter) => `${withMicrosSql(`${alias}.source_updated_at`, `${alias}.source_micros`)} >= ${parameter}`,
    updatedSince,
  );
}

export function levelFromRow(row: RowOf<typeof levelColumns>): StockLevel {
  const { sku, productTuId, variantTuId, location, quantity, reserved, sourceUpdatedAt, updatedAt } = row;
  return {
    sku,
    productTuId,
    variantTuId,
    location,
    quantity,
    reserved,
    sourceUpdatedAt,
    updatedAt: new Date(updatedAt),
  };
}
