import { rowSet, updateRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Variant } from './variant.ts';
import { variantFields } from './variant-columns.ts';

// Every function writes into brands whose catalogs are locked, and is sent with the next statement.

interface OfBrand {
  readonly brandId: number;
  readonly variant: Omit<Variant, 'axisValues'>;
}

export interface AddedVariant extends OfBrand {
  readonly productId: number;
  /** In the form that `combinationOf` returns. */
  readonly combination: string;
}

const key = {
  brand_id: ['integer', ({ brandId }: OfBrand) => brandId],
  id: ['bigint', ({ variant }: OfBrand) => variant.id],
} as const;
const fields = {
  ...variantFields.setColumns<OfBrand>(({ variant }) => variant),
  updated_at: ['timestamptz', ({ variant }: OfBrand) => variant.updatedAt],
} as const;

const newVariants = rowSet<AddedVariant>({
  ...key,
  product_id: ['bigint', ({ productId }) => productId],
  tu_id: ['text', ({ variant }) => variant.tuId],
  combination: ['text', ({ combination }) => combination],
  position: ['integer', ({ variant }) => variant.position],
  created_at: ['timestamptz', ({ variant }) => variant.createdAt],
  ...fields,
});

/** Inserts variants with drawn ids, and their values; their SKUs are claimed. Breaks a foreign key if a value does not exist. */
export function insertVariants(tx: Transaction, added: readonly AddedVariant[]): void {
  if (added.length === 0) return;
  tx.queue(
    statement<never>(
      'insert_new_variants',
      `with created as (
         insert into variants (${newVariants.names.join(', ')}) overriding system value select g.* from ${newVariants.sql}
       )
       insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
       select g.brand_id, g.id, split_part(pair, ':', 1)::bigint, split_part(pair, ':', 2)::bigint
       from ${newVariants.sql} cross join lateral unnest(string_to_array(g.combination, ',')) as pair`,
      newVariants.values(added),
    ),
  );
}

const changedVariants = rowSet<OfBrand>({ ...key, ...fields });

/** Writes the fields and `updated_at` of variants; each occurs once. */
export function updateVariants(tx: Transaction, changed: readonly OfBrand[]): void {
  updateRows(tx, { table: 'variants', key: ['brand_id', 'id'] }, changedVariants, changed);
}

/** Marks a variant as deleted and frees its values, their axes and its combination [catalog-57]. Its SKU stays claimed. */
export function softDeleteVariant(
  tx: Transaction,
  { brandId, id, deletedAt }: { readonly brandId: number; readonly id: number; readonly deletedAt: Date },
): void {
  tx.queue(
    statement<never>(
      'soft_delete_variant',
      `with freed as (
         delete from variant_axis_values where brand_id = $1 and variant_id = $2
       )
       update variants set deleted_at = $3, updated_at = $3 where brand_id = $1 and id = $2`,
      [brandId, id, deletedAt],
    ),
  );
}
