import { isLongPage, type Page } from '../../../api/pagination.ts';
import { notFound } from '../../../errors/api-error.ts';
import { Conditions } from '../../../postgres/conditions.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import { variantsJson } from './variants-json.ts';
import {
  type VariantsOfProduct,
  type VariantsOfProductRow,
  variantsOfProductColumns,
  variantsOfProductFromRow,
} from './variants-of-product.ts';

export interface VariantFilter {
  readonly isActive?: boolean;
  readonly sku?: string;
}

interface Row extends VariantsOfProductRow {
  readonly total: number;
}

/**
 * Returns one page of a product's live variants by position, and the exact number of all that match, in one statement.
 * The total is in the product's rollup; a SKU filter matches at most one variant.
 *
 * Measured on a product with 500 variants and 1,000 levels, in a brand with 100,000 variants: a page of 50 takes 0.6 ms
 * and 228 buffers, by custom and generic plan alike. The page is one range of the index `variants_in_order`, and only
 * the levels of its own variants are read.
 * @throws ApiError `not_found` when the brand has no such product.
 */
export async function listVariants(
  database: Queryable,
  brandId: number,
  productTuId: string,
  { filter, page }: { readonly filter: VariantFilter; readonly page: Page },
): Promise<VariantsOfProduct & { readonly total: number }> {
  const [row] = await database.run(selectPage(brandId, productTuId, filter, page));
  if (row === undefined) throw notFound();
  return { ...variantsOfProductFromRow(row), total: row.total };
}

function selectPage(
  brandId: number,
  productTuId: string,
  { isActive, sku }: VariantFilter,
  page: Page,
): Statement<Row> {
  const where = new Conditions([], [brandId, productTuId, page.size, page.offset]);
  where.add('a', (parameter) => `v.is_active = ${parameter}`, isActive);
  where.add('s', (parameter) => `v.sku = ${parameter}`, sku);
  const choice = { conditions: where.sql === '' ? '' : `and ${where.sql}`, limit: 'limit $3 offset $4' };
  return statement(
    `list_variants/${where.code}`,
    `select ${variantsOfProductColumns(variantsJson(choice))}, ${total(choice.conditions, isActive, sku)} as total
     from products p
     join brands b on b.id = p.brand_id
     where p.brand_id = $1 and p.tu_id = $2`,
    where.values,
    { long: isLongPage(page.offset) },
  );
}

function total(conditions: string, isActive: boolean | undefined, sku: string | undefined): string {
  if (sku !== undefined)
    return `(
      select count(*) from variants v
      where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null ${conditions}
    )`;
  if (isActive === undefined) return 'p.live_variants';
  return 'case when $5 then p.active_variants else p.live_variants - p.active_variants end';
}
