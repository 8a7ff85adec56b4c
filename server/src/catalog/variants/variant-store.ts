import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Variant } from './variant.ts';
import { variantFields } from './variant-columns.ts';

// Every function writes into brands whose catalogs are locked, and is sent with the next statement.

interface OfBrand {
  readonly brandId: number;
  readonly variant: Omit<Variant, 'axisValues'>;
}

/** A variant that its product gets. */
export interface AddedVariant extends OfBrand {
  readonly productId: number;
  /** In the form that `combinationOf` returns. */
  readonly combination: string;
}

/** Draws ids for new variants. */
export async function drawVariantIds(tx: Transaction, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.run(
    statement<{ id: number }>(
      'draw_variant_ids',
      `select nextval('variants_id_seq') as id from generate_series(1, $1::integer)`,
      [count],
    ),
  );
  return rows.map(({ id }) => id);
}

const columns = `brand_id integer, id bigint, tu_id text, position integer, created_at timestamptz, updated_at timestamptz,
  ${variantFields.typed}`;

/** Inserts variants with drawn ids, and their values; their SKUs are claimed. Breaks a foreign key if a value does not exist. */
export function insertVariants(tx: Transaction, added: readonly AddedVariant[]): void {
  if (added.length === 0) return;
  const rows = added.map((each) => {
    return { ...rowOf(each), product_id: each.productId, combination: each.combination };
  });
  tx.queue(
    statement<never>(
      'insert_new_variants',
      `with given as materialized (
         select g.* from json_to_recordset($1::json) as g (product_id bigint, combination text, ${columns})
       ), created as (
         insert into variants (brand_id, id, product_id, tu_id, combination, position, created_at, updated_at,
           ${variantFields.list()})
         overriding system value
         select g.brand_id, g.id, g.product_id, g.tu_id, g.combination, g.position, g.created_at, g.updated_at,
           ${variantFields.list('g')}
         from given g
       )
       insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
       select g.brand_id, g.id, split_part(pair, ':', 1)::bigint, split_part(pair, ':', 2)::bigint
       from given g cross join lateral unnest(string_to_array(g.combination, ',')) as pair`,
      [JSON.stringify(rows)],
    ),
  );
}

/** Writes the fields and `updated_at` of variants; each occurs once. */
export function updateVariants(tx: Transaction, changed: readonly OfBrand[]): void {
  if (changed.length === 0) return;
  tx.queue(
    statement<never>(
      'update_variants',
      `update variants v
       set ${variantFields.assignments}, updated_at = g.updated_at
       from json_to_recordset($1::json) as g (${columns})
       cross join lateral (
         select k.ctid as place from variants k where k.brand_id = g.brand_id and k.id = g.id offset 0
       ) k
       where v.ctid = k.place`,
      [JSON.stringify(changed.map(rowOf))],
    ),
  );
}

/**
 * Marks a variant as deleted and removes its values, which frees them, their axes and its combination [catalog-57]. The
 * row stays, and with it its claim on the SKU.
 */
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

function rowOf({ brandId, variant }: OfBrand) {
  const { id, tuId, position, createdAt, updatedAt } = variant;
  return {
    ...{ brand_id: brandId, id, tu_id: tuId, position, created_at: createdAt, updated_at: updatedAt },
    ...variantFields.rowOf(variant),
  };
}
