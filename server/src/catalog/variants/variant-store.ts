import {
  column,
  epochMs,
  epochMsOrInfinity,
  type JsonRowsValue,
  jsonRows,
} from '../../postgres/json-rows.ts';
import { rowSet } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { selectionJson } from '../axis-selection/axis-selection-store.ts';
import { type CatalogLock, noteProductCounts } from '../brand-catalog-store.ts';
import { claimVariantSkus } from '../skus/sku-store.ts';
import type { StockSum } from '../stock/stock-level.ts';
import {
  type CreatedVariant,
  combinationReader,
  noVariantStock,
  type VariantFields,
  type VariantParent,
  type VariantsBefore,
  type VariantView,
  variantFields,
} from './variant.ts';

export interface VariantsOfProduct {
  readonly parent: VariantParent;
  readonly variants: readonly VariantView[];
}

export interface VariantOfProduct {
  readonly parent: VariantParent;
  readonly variant: VariantView;
}

export interface VariantsOfProductRow {
  readonly parent: VariantParent;
  readonly selection: AxisSelection;
  readonly variants: VariantsJson;
}

/** The columns that a variant shows of a product `p` and its brand `b`, and the product's selection. */
export const parentColumns = `json_build_object(
    'tuId', p.tu_id, 'priceValue', p.price_value, 'priceCurrency', p.price_currency,
    'availabilitySettings', json_build_object(
      'lowStockThreshold', b.low_stock_threshold, 'staleAfterHours', b.stale_after_hours
    )
  ) as parent, ${selectionJson} as selection`;

/** The column of `variantsJson`. */
export interface VariantsJson {
  readonly variants: JsonRowsValue;
  /** One row for each variant that has a stock level. */
  readonly stocks: JsonRowsValue;
}

const variantRows = jsonRows({
  id: column<number>('page.id'),
  tuId: column<string>('page.tu_id'),
  combination: column<string>('page.combination'),
  position: column<number>('page.position'),
  createdAt: epochMs('page.created_at'),
  updatedAt: epochMs('page.updated_at'),
  ...variantFields.jsonColumns('page'),
});

const stockRows = jsonRows({
  variantId: column<number>('s.variant_id'),
  levels: column<number>('s.levels'),
  countedLevels: column<number>('s.counted_levels'),
  available: column<number>('s.available'),
  freshAt: epochMsOrInfinity('s.fresh_at'),
});

interface Choice {
  /** Conditions on the variant `v` and a limit: `and v.sku = $3`, `limit $4`. Empty: every live variant. */
  readonly conditions?: string;
  readonly limit?: string;
  /** The number of rows that are kept of those within the limit. */
  readonly size?: string;
}

/**
 * A column with live variants of the product `p` in list order, and their stock, read at one moment. They are joined by
 * `variantsFromJson`: in SQL, 500 variants with two levels each took 30 ms instead of 4.
 */
export function variantsJson({ conditions = '', limit = '', size }: Choice = {}): string {
  const variants = `select v.id, v.tu_id, v.combination, v.position, v.created_at, v.updated_at, ${variantFields.list('v')}
      from variants v
      where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null ${conditions}
      order by v.position, v.id ${limit}`;
  const page =
    size === undefined
      ? variants
      : `select few.* from (${variants}) as few order by few.position, few.id limit ${size}`;
  return `(
    with page as materialized (
      ${page}
    )
    select json_build_object(
      'variants', ${variantRows.aggregate(`select ${variantRows.columns} from page order by page.position, page.id`)},
      'stocks', ${stockRows.aggregate(`
          select ${stockRows.columns}
          from variant_stock s
          where s.brand_id = p.brand_id and s.product_id = p.id
            and s.variant_id = any (array(select page.id from page))`)}
    )
  )`;
}

export function variantsFromJson(
  { variants, stocks }: VariantsJson,
  selection: AxisSelection,
): VariantView[] {
  const axisValuesOf = combinationReader(selection);
  const stockOf = new Map(
    stockRows
      .read(stocks)
      .map(({ variantId, freshAt, ...stock }): [number, StockSum] => [
        variantId,
        { ...stock, freshAt: freshAt === null ? null : Number(freshAt) },
      ]),
  );
  return variantRows.read(variants).map((row) => {
    const fields: Record<string, unknown> = {};
    for (const field of variantFields.fieldNames) fields[field] = row[field];
    return {
      ...(fields as unknown as VariantFields),
      id: row.id,
      tuId: row.tuId,
      axisValues: axisValuesOf(row.combination),
      position: row.position,
      createdAt: new Date(row.createdAt),
      updatedAt: new Date(row.updatedAt),
      stock: stockOf.get(row.id) ?? noVariantStock,
    };
  });
}

/** The product of a variant, as the brand's counters count it. */
export interface CountedProduct {
  readonly id: number;
  readonly isActive: boolean;
  readonly liveVariants: number;
}

export const countedProduct = `json_build_object('id', p.id, 'isActive', p.is_active, 'liveVariants', p.live_variants)`;

interface StoredVariant {
  readonly product: CountedProduct;
  readonly parent: VariantParent;
  readonly variant: VariantView;
}

interface ProductOfNewVariant extends VariantsBefore {
  /** The id that the variant will have. */
  readonly id: number;
  readonly product: CountedProduct;
  readonly parent: VariantParent;
}

/** Reads a live variant; null if the brand has no such variant. */
export async function findVariant({ tx, brandId }: CatalogLock, tuId: string): Promise<StoredVariant | null> {
  const one = variantsJson({ conditions: 'and v.id = i.id' });
  const [row] = await tx.run(
    statement<VariantsOfProductRow & Pick<StoredVariant, 'product'>>(
      'find_variant',
      `select ${countedProduct} as product, ${parentColumns}, ${one} as variants
       from (
         -- Found by the id alone: without statistics, the planner would scan a partial index of live variants.
         select v.id, v.product_id, v.deleted_at from variants v where v.brand_id = $1 and v.tu_id = $2
         offset 0
       ) i
       join products p on p.brand_id = $1 and p.id = i.product_id
       join brands b on b.id = $1
       where i.deleted_at is null`,
      [brandId, tuId],
    ),
  );
  if (row === undefined) return null;
  const { product, parent, selection, variants } = row;
  return { product, parent, variant: variantsFromJson(variants, selection)[0] as VariantView };
}

/**
 * Draws the id of a new variant, and reads what decides on one with these axis values; null if the brand has no such product.
 * Each axis and value is looked up by its name ("offset 0").
 */
export async function readProductOfNewVariant(
  { tx, brandId }: CatalogLock,
  productTuId: string,
  axisValues: Readonly<Record<string, string>>,
): Promise<ProductOfNewVariant | null> {
  const [row] = await tx.run(
    statement<ProductOfNewVariant>(
      'read_product_of_new_variant',
      `select nextval('variants_id_seq') as id, ${countedProduct} as product, ${parentColumns}, (
           select v.combination from variants v
           where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
             and sha256(v.combination::bytea) = (
               select sha256(string_agg(a.id || ':' || w.id, ',' order by a.id)::bytea)
               from json_each_text($3::json) as named (code, value)
               cross join lateral (
                 select a.id from axes a where a.brand_id = $1 and a.code = named.code
                 offset 0
               ) a
               cross join lateral (
                 select w.id from axis_values w
                 where w.brand_id = $1 and w.value = named.value and w.axis_id = a.id
                 offset 0
               ) w
             )
         ) as "takenCombination", (
           select coalesce(max(v.position), -1) from variants v
           where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
         ) as "lastPosition"
       from products p
       join brands b on b.id = p.brand_id
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId, JSON.stringify(axisValues)],
    ),
  );
  return row ?? null;
}

// The functions below queue what they write; it is sent with the commit.

const newVariants = rowSet<CreatedVariant>(
  {
    id: ['bigint', ({ variant }) => variant.id],
    tu_id: ['text', ({ variant }) => variant.tuId],
    combination: ['text', ({ combination }) => combination],
    position: ['integer', ({ variant }) => variant.position],
    ...variantFields.setColumns<CreatedVariant>(({ variant }) => variant),
  },
  4,
);

/**
 * Inserts variants of a product that were created together, at least one, with drawn ids: claims their SKUs, and updates what
 * the product and the brand store about variants. Breaks a foreign key if a value does not exist.
 */
export function insertVariants(
  catalog: CatalogLock,
  product: CountedProduct,
  created: readonly CreatedVariant[],
): void {
  const { tx, brandId } = catalog;
  const stampedAt = (created[0] as CreatedVariant).variant.createdAt;
  claimVariantSkus(
    catalog,
    created.map(({ variant }) => variant),
  );
  tx.queue(
    statement<never>(
      'insert_variants',
      `insert into variants (brand_id, product_id, created_at, updated_at, ${newVariants.names.join(', ')})
         overriding system value
       select $1, $2, $3, $3, g.* from ${newVariants.sql}`,
      [brandId, product.id, stampedAt, ...newVariants.values(created)],
    ),
  );
  tx.queue(
    statement<never>(
      'insert_variant_axis_values',
      `insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
       select $1, g.id, split_part(pair, ':', 1)::bigint, split_part(pair, ':', 2)::bigint
       from unnest($2::bigint[], $3::text[]) as g (id, combination),
         unnest(string_to_array(g.combination, ',')) as pair`,
      [brandId, created.map(({ variant }) => variant.id), created.map(({ combination }) => combination)],
    ),
  );
  refreshVariantRollup(catalog, product.id, stampedAt);
  const newParents = product.liveVariants === 0 ? 1 : 0;
  noteProductCounts(catalog, {
    withVariants: newParents,
    activeWithVariants: product.isActive ? newParents : 0,
  });
}

/** Writes the fields and `updated_at` of a variant. */
export function updateVariantFields(
  { tx, brandId }: CatalogLock,
  variant: VariantFields & Pick<VariantView, 'id' | 'updatedAt'>,
): void {
  tx.queue(
    statement<never>(
      'update_variant',
      `update variants set updated_at = $3, ${variantFields.assignments(4)} where brand_id = $1 and id = $2`,
      [brandId, variant.id, variant.updatedAt, ...variantFields.valuesOf(variant)],
    ),
  );
}

/** Marks a variant as deleted and frees its values, their axes and its combination [catalog-57]. Its SKU stays claimed. */
export function softDeleteVariant({ tx, brandId }: CatalogLock, id: number, deletedAt: Date): void {
  tx.queue(
    statement<never>(
      'free_variant_axis_values',
      'delete from variant_axis_values where brand_id = $1 and variant_id = $2',
      [brandId, id],
    ),
  );
  tx.queue(
    statement<never>(
      'soft_delete_variant',
      'update variants set deleted_at = $3, updated_at = $3 where brand_id = $1 and id = $2',
      [brandId, id, deletedAt],
    ),
  );
}

/** Recomputes the rollup of a product from its variants, and writes the stamp as its `updated_at` [catalog-25]. */
export function refreshVariantRollup({ tx, brandId }: CatalogLock, productId: number, stampedAt: Date): void {
  tx.queue(
    statement<never>(
      'refresh_variant_rollup',
      `update products p
       set live_variants = t.live_variants, active_variants = t.active_variants,
         inheriting_variants = t.inheriting_variants,
         own_price_min = t.own_price_min, own_price_max = t.own_price_max,
         has_variants = t.live_variants > 0, updated_at = $3
       from product_variant_truth t
       where p.brand_id = $1 and p.id = $2 and t.brand_id = $1 and t.product_id = $2`,
      [brandId, productId, stampedAt],
    ),
  );
}
