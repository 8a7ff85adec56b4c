import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { CatalogWrite } from '../brand-catalog-store.ts';
import type { VariantDraft } from './variant.ts';

/**
 * Inserts variants of one product in the order of `drafts`, with their values, in one statement, and returns their ids
 * in that order. Skips combinations that a live variant of the product already has. The SKUs are claimed; the next free
 * positions stay free until the commit. Breaks a foreign key when a value does not exist.
 */
export async function insertGeneratedVariants(
  { tx, brandId, stampedAt }: CatalogWrite,
  productId: number,
  drafts: readonly VariantDraft[],
): Promise<number[]> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'insert_variants',
      `with last as (
         select coalesce(max(v.position), -1) as position from variants v
         where v.brand_id = $1 and v.product_id = $2 and v.deleted_at is null
       ), created as (
         insert into variants (brand_id, product_id, tu_id, sku, barcode, combination, price_value, position,
           is_active, created_at, updated_at)
         select $1, $2, d.tu_id, d.sku, d.barcode, d.combination, d.price_value, last.position + d.place,
           d.is_active, $4, $4
         from last cross join rows from (
           json_to_recordset($3::json) as (
             tu_id text, sku text, barcode text, combination text, price_value numeric, is_active boolean
           )
         ) with ordinality as d (tu_id, sku, barcode, combination, price_value, is_active, place)
         order by d.place
         on conflict (brand_id, product_id, sha256(combination::bytea)) where deleted_at is null do nothing
         returning id, combination
       ), carried as (
         insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
         select $1, c.id, split_part(pair, ':', 1)::bigint, split_part(pair, ':', 2)::bigint
         from created c cross join lateral unnest(string_to_array(c.combination, ',')) as pair
       )
       select id from created order by id`,
      [
        brandId,
        productId,
        JSON.stringify(
          drafts.map((draft) => ({
            tu_id: draft.tuId,
            sku: draft.sku,
            barcode: draft.barcode,
            combination: draft.combination,
            price_value: draft.priceValue,
            is_active: draft.isActive,
          })),
        ),
        stampedAt,
      ],
    ),
  );
  return rows.map(({ id }) => id);
}

/** Returns those of `combinations` that live variants of the product have. */
export async function listTakenCombinations(
  tx: Transaction,
  brandId: number,
  productId: number,
  combinations: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.run(
    statement<{ combination: string }>(
      'list_taken_combinations',
      `select combination from variants
       where brand_id = $1 and product_id = $2 and deleted_at is null and combination = any($3::text[])`,
      [brandId, productId, combinations],
    ),
  );
  return new Set(rows.map(({ combination }) => combination));
}
