import type { SourceTime } from '../../../lib/source-time.ts';
import { column, epochMs, type RowOf } from '../../../postgres/json-rows.ts';
import type { Conditions } from '../../../postgres/read-page.ts';
import { sourceTimeSql, withMicrosSql } from '../../../postgres/statement.ts';
import type { StockLevel } from '../stock-level.ts';
import { levelTimeSql } from '../stock-level-store.ts';

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
