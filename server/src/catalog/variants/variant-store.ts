import { statement } from '../../postgres/statement.ts';
import type { CatalogLock, CatalogWrite } from '../brand-catalog-store.ts';
import type { VariantFields } from './variant.ts';

/** A live variant as the transaction reads it. */
export interface StoredVariant extends VariantFields {
  readonly id: number;
  readonly tuId: string;
  readonly productId: number;
  readonly productTuId: string;
}

interface VariantRow {
  id: number;
  tu_id: string;
  product_id: number;
  product_tu_id: string;
  sku: string;
  barcode: string | null;
  price_value: string | null;
  is_active: boolean;
}

/**
 * Reads one live variant of the brand; null if there is none. Its row is not locked: under the brand's catalog lock
 * no other transaction changes it.
 */
export async function findVariant({ tx, brandId }: CatalogLock, tuId: string): Promise<StoredVariant | null> {
  const rows = await tx.run(
    statement<VariantRow>(
      'find_variant',
      `select v.id, v.tu_id, v.product_id, p.tu_id as product_tu_id, v.sku, v.barcode, v.price_value, v.is_active
       -- Found by its id alone ("offset 0"): on a table without statistics, the planner would scan a partial index of
       -- live variants.
       from (
         select id, brand_id, tu_id, product_id, sku, barcode, price_value, is_active, deleted_at from variants
         where brand_id = $1 and tu_id = $2
         offset 0
       ) v
       join products p on p.brand_id = v.brand_id and p.id = v.product_id
       where v.deleted_at is null`,
      [brandId, tuId],
    ),
  );
  const row = rows[0];
  return row === undefined
    ? null
    : {
        id: row.id,
        tuId: row.tu_id,
        productId: row.product_id,
        productTuId: row.product_tu_id,
        sku: row.sku,
        barcode: row.barcode,
        priceValue: row.price_value === null ? null : Number(row.price_value),
        isActive: row.is_active,
      };
}

/** Locks variants of a product against changes until the transaction ends, in the order of their ids. */
export async function lockVariants({ tx, brandId }: CatalogLock, ids: readonly number[]): Promise<void> {
  await tx.run(
    statement<never>(
      'lock_variants',
      'select id from variants where brand_id = $1 and id = any($2::bigint[]) order by id for no key update',
      [brandId, ids],
    ),
  );
}

/** Writes the fields of a locked variant. */
export async function updateVariant(
  { tx, brandId, stampedAt }: CatalogWrite,
  id: number,
  { sku, barcode, priceValue, isActive }: VariantFields,
): Promise<void> {
  await tx.run(
    statement<never>(
      'update_variant',
      `update variants set sku = $3, barcode = $4, price_value = $5, is_active = $6, updated_at = $7
       where brand_id = $1 and id = $2`,
      [brandId, id, sku, barcode, priceValue, isActive, stampedAt],
    ),
  );
}

/**
 * Marks a locked variant as deleted and removes its combination and values, which frees them and their axes
 * [catalog-57]. The row stays, and with it its claim on the SKU.
 */
export async function softDeleteVariant({ tx, brandId, stampedAt }: CatalogWrite, id: number): Promise<void> {
  await tx.run(
    statement<never>(
      'soft_delete_variant',
      `with freed as (
         delete from variant_axis_values where brand_id = $1 and variant_id = $2
       )
       update variants set deleted_at = $3, updated_at = $3 where brand_id = $1 and id = $2`,
      [brandId, id, stampedAt],
    ),
  );
}
