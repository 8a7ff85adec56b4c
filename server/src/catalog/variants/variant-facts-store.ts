import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { byPosition } from '../brand-set.ts';
import type { AxisValues } from './combination.ts';
import { variantsFromJson, variantsJson } from './queries/variants-json.ts';
import { parentColumns, type VariantsOfProductRow } from './queries/variants-of-product.ts';
import type { VariantParent, VariantView } from './variant.ts';

/** The product of a variant, as the brand's counters count it. */
export interface CountedProduct {
  readonly brandId: number;
  readonly id: number;
  readonly isActive: boolean;
  readonly liveVariants: number;
}

export interface NewVariantFacts {
  readonly id: number;
  readonly product: CountedProduct;
  readonly parent: VariantParent;
  readonly selection: AxisSelection;
  /** The combination that the axis values name, if a live variant of the product has it. */
  readonly takenCombination: string | null;
  /** The largest position of the product's live variants; -1 if there are none. */
  readonly lastPosition: number;
}

export const countedProduct = `json_build_object(
  'brandId', p.brand_id, 'id', p.id, 'isActive', p.is_active, 'liveVariants', p.live_variants
)`;

/** Reads the facts of creations, in their order; null where the brand has no such product. */
export async function readNewVariantFacts(
  tx: Transaction,
  creations: readonly {
    readonly brandId: number;
    readonly productTuId: string;
    readonly axisValues: AxisValues;
  }[],
): Promise<(NewVariantFacts | null)[]> {
  const given = creations.map(({ brandId, productTuId, axisValues }, n) => {
    return { n, brand_id: brandId, tu_id: productTuId, axis_values: axisValues };
  });
  const rows = await tx.run(
    statement<NewVariantFacts & { readonly n: number }>(
      'read_new_variant_facts',
      `select g.n, nextval('variants_id_seq') as id, p.product, p.parent, p.selection, (
           select v.combination from variants v
           where v.brand_id = g.brand_id and v.product_id = p.product_id and v.deleted_at is null
             and sha256(v.combination::bytea) = (
               select sha256(string_agg(a.id || ':' || w.id, ',' order by a.id)::bytea)
               from json_each_text(g.axis_values) as named (code, value)
               cross join lateral (
                 select a.id from axes a where a.brand_id = g.brand_id and a.code = named.code
                 offset 0
               ) a
               cross join lateral (
                 select w.id from axis_values w
                 where w.brand_id = g.brand_id and w.value = named.value and w.axis_id = a.id
                 offset 0
               ) w
             )
         ) as "takenCombination", (
           select coalesce(max(v.position), -1) from variants v
           where v.brand_id = g.brand_id and v.product_id = p.product_id and v.deleted_at is null
         ) as "lastPosition"
       from json_to_recordset($1::json) as g (n integer, brand_id integer, tu_id text, axis_values json)
       cross join lateral (
         select p.id as product_id, ${countedProduct} as product, ${parentColumns}
         from products p
         join brands b on b.id = p.brand_id
         where p.brand_id = g.brand_id and p.tu_id = g.tu_id
         offset 0
       ) p`,
      [JSON.stringify(given)],
    ),
  );
  return byPosition(creations.length, rows, (facts) => facts);
}

export interface VariantFacts {
  readonly product: CountedProduct;
  readonly parent: VariantParent;
  readonly variant: VariantView;
}

/** Reads live variants in the order of their ids; null where the brand has no such variant. */
export async function findVariants(
  tx: Transaction,
  ids: readonly { readonly brandId: number; readonly tuId: string }[],
): Promise<(VariantFacts | null)[]> {
  const given = ids.map(({ brandId, tuId }, n) => ({ n, brand_id: brandId, tu_id: tuId }));
  const one = variantsJson({ conditions: 'and v.id = i.id' });
  const rows = await tx.run(
    statement<VariantsOfProductRow & { readonly n: number; readonly product: CountedProduct }>(
      'find_variants',
      `select g.n, p.* from json_to_recordset($1::json) as g (n integer, brand_id integer, tu_id text)
       -- Found by the id alone: without statistics, the planner would scan a partial index of live variants.
       cross join lateral (
         select v.id, v.product_id, v.deleted_at from variants v where v.brand_id = g.brand_id and v.tu_id = g.tu_id
         offset 0
       ) i
       cross join lateral (
         select ${countedProduct} as product, ${parentColumns}, ${one} as variants
         from products p
         join brands b on b.id = p.brand_id
         where p.brand_id = g.brand_id and p.id = i.product_id
         offset 0
       ) p
       where i.deleted_at is null`,
      [JSON.stringify(given)],
    ),
  );
  return byPosition(ids.length, rows, ({ product, parent, selection, variants }) => {
    return { product, parent, variant: variantsFromJson(variants, selection)[0] as VariantView };
  });
}
