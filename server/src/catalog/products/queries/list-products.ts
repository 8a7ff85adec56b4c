import type { ServiceContext } from '../../../api/operation.ts';
import type { Page } from '../../../api/pagination.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import type { ProductView } from '../product.ts';
import type { SortKey } from '../product-sort.ts';
import { productListVersion, productOrderVersion } from './product-list-version.ts';
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

/** One page as it was at one moment, and the version that the list had then. */
interface ProductPage {
  readonly products: ProductView[];
  /** Of all that match, exactly. */
  readonly total: number;
  readonly version: string;
}

/** The columns of the product are null in the one row of an empty page. */
interface Row extends ProductViewRow {
  readonly list_total: number;
  readonly list_version: string;
  readonly order_version: string;
}

// Up to here a page is short enough for the shared connection.
const shortOffset = 2_000;

/**
 * One page of a brand's products, the exact number of all that match and the list's version: one statement, however many
 * rows there are, so that the three are of one moment. The total of a list that is filtered by nothing, `is_active` or
 * `has_variants` is read from the brand's counters.
 *
 * A page that follows one served before begins where that one ended, if the statement itself finds that no product has
 * changed since; otherwise the page is read anew by its offset.
 */
export async function listProducts(
  { database, anchors }: Pick<ServiceContext, 'database' | 'anchors'>,
  brandId: number,
  filter: ProductFilter,
  sort: readonly SortKey[],
  page: Page,
): Promise<ProductPage> {
  const isCounted = filter.sku === undefined && filter.updatedSince === undefined;
  const list = JSON.stringify([brandId, filter, sort]);
  const anchor = page.offset > 0 && hasOneDirection(sort) ? anchors.find(list, page.offset) : undefined;
  const ask = (after: readonly unknown[] | null) => {
    const question = selectPage(brandId, filter, sort, page, isCounted, after);
    const isShort = isCounted && (after !== null || page.offset <= shortOffset);
    return isShort ? database.run(question) : database.query(question);
  };
  let rows = anchor === undefined ? null : await ask(anchor.after);
  if (rows?.[0]?.order_version !== anchor?.version) rows = null;
  rows ??= await ask(null);

  const [first] = rows;
  const last = rows.at(-1);
  if (last !== undefined && rows.length === page.size)
    anchors.remember(list, page.offset + page.size, {
      version: last.order_version,
      after: sort.map(({ column }) => last[column]),
    });
  return {
    products: first?.id === null ? [] : rows.map(productViewFromRow),
    total: first?.list_total ?? 0,
    version: first?.list_version ?? '',
  };
}

/** Only then "after this row" is one condition that an index answers. */
function hasOneDirection(sort: readonly SortKey[]): boolean {
  return sort.every(({ descending }) => descending === sort[0]?.descending);
}

/**
 * A deferred join: the page is found by id first, in the order's index, and only its own rows are read whole. Skipping
 * 900,000 rows this way took 84 ms where a plain OFFSET, which builds every row it throws away, took 750 ms. "offset 0" has
 * total and version worked out once: without it each of 50 rows did so, and the statement took more than twice as long.
 */
function selectPage(
  brandId: number,
  filter: ProductFilter,
  sort: readonly SortKey[],
  page: Page,
  isCounted: boolean,
  after: readonly unknown[] | null,
): Statement<Row> {
  const { code, condition, values, isActive, hasVariants } = where(brandId, filter);
  const order = (alias: string) =>
    sort.map(({ column, descending }) => `${alias}.${column} ${descending ? 'desc' : 'asc'}`).join(', ');
  const sortCode = sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join(',');
  const total = isCounted
    ? countedTotal(isActive, hasVariants)
    : `(select count(*) from products f where ${condition})`;
  const size = `$${values.push(page.size)}`;
  const start = after === null ? `offset $${values.push(page.offset)}` : '';
  const isAfter =
    after === null
      ? ''
      : `and (${sort.map(({ column }) => `f.${column}`).join(', ')}) ${sort[0]?.descending ? '<' : '>'}
           (${after.map((value) => `$${values.push(value)}`).join(', ')})`;
  return statement(
    `list_products/${code}/${sortCode}${after === null ? '' : '/after'}`,
    `select list.total as list_total, list.version as list_version, list.order_version, p.*
     from (
       select ${total} as total, ${productListVersion} as version, ${productOrderVersion} as order_version
       from brands b
       left join brand_catalogs c on c.brand_id = b.id
       where b.id = $1
       offset 0
     ) as list
     left join (
       select ${productViewColumns}
       from (
         select f.brand_id, f.id from products f
         where ${condition} ${isAfter}
         order by ${order('f')}
         limit ${size} ${start}
       ) as page
       join products p on p.brand_id = page.brand_id and p.id = page.id
       ${productViewJoins}
     ) as p on true
     order by ${order('p')}`,
    values,
  );
}

/** The filter as SQL; `code` names the conditions that are in it, so that one name always stands for one text. */
function where(brandId: number, filter: ProductFilter) {
  const values: unknown[] = [brandId];
  const conditions = ['f.brand_id = $1'];
  let code = '';
  const add = (letter: string, sql: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return null;
    const parameter = `$${values.push(value)}`;
    conditions.push(sql(parameter));
    code += letter;
    return parameter;
  };
  add('s', (parameter) => `f.sku = ${parameter}`, filter.sku);
  const isActive = add('a', (parameter) => `f.is_active = ${parameter}`, filter.isActive);
  const hasVariants = add('v', (parameter) => `f.has_variants = ${parameter}`, filter.hasVariants);
  add('u', (parameter) => `f.updated_at >= ${parameter}`, filter.updatedSince);
  return { code, condition: conditions.join(' and '), values, isActive, hasVariants };
}

/**
 * Inclusion and exclusion over the four counters of `brand_catalogs c` gives the total of every combination of the two
 * filters, whose parameters these are.
 */
function countedTotal(isActive: string | null, hasVariants: string | null): string {
  const all = 'c.products_total';
  const active = 'c.products_active';
  const parents = 'c.products_with_variants';
  const activeParents = 'c.products_active_with_variants';
  const choose = (parameter: string | null, whole: string, part: string) =>
    parameter === null ? whole : `case when ${parameter} then ${part} else ${whole} - ${part} end`;
  const parentsAmong = choose(isActive, parents, activeParents);
  return `coalesce(${choose(hasVariants, `(${choose(isActive, all, active)})`, `(${parentsAmong})`)}, 0)`;
}
