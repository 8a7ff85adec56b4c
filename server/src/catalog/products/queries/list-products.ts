import type { Page } from '../../../api/pagination.ts';
import type { Database, Queryable } from '../../../postgres/database.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import type { ProductView } from '../product.ts';
import type { SortKey } from '../product-sort.ts';
import {
  type ProductViewRow,
  productViewColumns,
  productViewFromRow,
  productViewJoins,
} from './product-view.ts';

export interface ProductFilter {
  readonly sku?: string;
  readonly isActive?: boolean;
  readonly hasVariants?: boolean;
  /** Inclusive. */
  readonly updatedSince?: Date;
}

// Up to here a page is short enough for the shared connection.
const shortOffset = 2_000;

/**
 * One page of a brand's products and the exact number of all that match: two statements, however many rows there are.
 * The total of a list that is filtered by nothing, `is_active` or `has_variants` is read from the brand's counters.
 */
export async function listProducts(
  database: Database,
  brandId: number,
  filter: ProductFilter,
  sort: readonly SortKey[],
  page: Page,
): Promise<{ products: ProductView[]; total: number }> {
  const isCounted = filter.sku === undefined && filter.updatedSince === undefined;
  const run = page.offset <= shortOffset ? forShort(database) : forLong(database);
  const runTotal = isCounted ? forShort(database) : forLong(database);
  const [rows, totals] = await Promise.all([
    run.run(selectPage(brandId, filter, sort, page)),
    runTotal.run(isCounted ? readTotal(brandId, filter) : countMatches(brandId, filter)),
  ]);
  return { products: rows.map(productViewFromRow), total: totals[0]?.total ?? 0 };
}

const forShort = (database: Database): Queryable => database;
const forLong = (database: Database): Queryable => ({ run: (question) => database.query(question) });

/**
 * A deferred join: the page is found by id first, in the order's index, and only its own rows are read whole. Skipping
 * 900,000 rows this way took 84 ms where a plain OFFSET, which builds every row it throws away, took 750 ms.
 */
function selectPage(
  brandId: number,
  filter: ProductFilter,
  sort: readonly SortKey[],
  page: Page,
): Statement<ProductViewRow> {
  const { code, condition, values } = where(brandId, filter);
  const order = (alias: string) =>
    sort.map(({ column, descending }) => `${alias}.${column} ${descending ? 'desc' : 'asc'}`).join(', ');
  const sortCode = sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join(',');
  return statement(
    `list_products/${code}/${sortCode}`,
    `select ${productViewColumns}
     from (
       select f.brand_id, f.id from products f
       where ${condition}
       order by ${order('f')}
       limit $${values.length + 1} offset $${values.length + 2}
     ) as page
     join products p on p.brand_id = page.brand_id and p.id = page.id
     ${productViewJoins}
     order by ${order('p')}`,
    [...values, page.size, page.offset],
  );
}

function countMatches(brandId: number, filter: ProductFilter): Statement<{ total: number }> {
  const { code, condition, values } = where(brandId, filter);
  return statement(
    `count_products/${code}`,
    `select count(*) as total from products f where ${condition}`,
    values,
  );
}

/** The filter as SQL; `code` names the conditions that are in it, so that one name always stands for one text. */
function where(brandId: number, filter: ProductFilter) {
  const values: unknown[] = [brandId];
  const conditions = ['f.brand_id = $1'];
  let code = '';
  const add = (letter: string, sql: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(sql(`$${values.length}`));
    code += letter;
  };
  add('s', (parameter) => `f.sku = ${parameter}`, filter.sku);
  add('a', (parameter) => `f.is_active = ${parameter}`, filter.isActive);
  add('v', (parameter) => `f.has_variants = ${parameter}`, filter.hasVariants);
  add('u', (parameter) => `f.updated_at >= ${parameter}`, filter.updatedSince);
  return { code, condition: conditions.join(' and '), values };
}

/** Inclusion and exclusion over the four counters gives the total of every combination of the two filters. */
function readTotal(brandId: number, { isActive, hasVariants }: ProductFilter): Statement<{ total: number }> {
  return statement(
    'read_product_total',
    `select case
         when $2::boolean is null and $3::boolean is null then c.products_total
         when $3 is null then case when $2 then c.products_active else c.products_total - c.products_active end
         when $2 is null then
           case when $3 then c.products_with_variants else c.products_total - c.products_with_variants end
         when $2 and $3 then c.products_active_with_variants
         when $2 then c.products_active - c.products_active_with_variants
         when $3 then c.products_with_variants - c.products_active_with_variants
         else c.products_total - c.products_active - c.products_with_variants + c.products_active_with_variants
       end as total
     from brand_catalogs c
     where c.brand_id = $1`,
    [brandId, isActive ?? null, hasVariants ?? null],
  );
}
