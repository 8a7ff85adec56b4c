import { isLongPage } from '../../../api/pagination.ts';
import { Conditions } from '../../../postgres/conditions.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import type { SortKey } from '../product-sort.ts';
import { productListVersion, productOrderVersion } from './product-list-version.ts';
import { type ProductViewRow, productViewColumns, productViewJoins } from './product-view.ts';

export interface ProductFilter {
  readonly sku?: string;
  readonly isActive?: boolean;
  readonly hasVariants?: boolean;
  /** Inclusive. */
  readonly updatedSince?: Date;
}

/**
 * What is said of the list stands in the first row, and is null in the others. The columns of the product are null in the one
 * row of an empty page.
 */
export interface ProductPageRow extends ProductViewRow {
  readonly list_total: number | null;
  readonly list_version: string | null;
  readonly order_version: string | null;
}

/** Which page, and how it is found. */
export interface PageChoice {
  readonly filter: ProductFilter;
  readonly sort: readonly SortKey[];
  /** Rows of a full page, 200 at the most. */
  readonly size: number;
  /** The page begins after so many rows, or after the row with this sort key, where that is known. */
  readonly start: { readonly offset: number } | { readonly after: readonly unknown[] };
}

/** Whether the total of a filter is kept, and need not be counted. */
export function isCounted({ sku, updatedSince }: ProductFilter): boolean {
  return sku === undefined && updatedSince === undefined;
}

// A limit that is a parameter lets the planner expect a tenth of the table: it then never trusts a plan for all sizes, and
// plans this statement anew each time, which took twice as long as running it. So the index is read up to one of two fixed
// limits, and the rest of the rows left out.
const usualSize = 50;
const largestSize = 200;

// Up to here what matches is read and sorted, which takes some 10 ms; beyond it the order is gone through for what matches.
const fewMatches = 10_000;

/**
 * Whether an index has what the filter keeps in the order of the list. Otherwise the order is gone through for rows that
 * match: fifty are found soon where many match, and few may stand behind all the others (60,000 rows of 60,000 for the
 * inactive products by SKU).
 */
function hasIndex(
  { sku, isActive, hasVariants, updatedSince }: ProductFilter,
  [first, second]: readonly SortKey[],
): boolean {
  if (sku !== undefined) return true;
  const conditions = [isActive, hasVariants].filter((value) => value !== undefined).length;
  if (conditions === 0 && updatedSince === undefined) return true;
  return conditions < 2 && first?.column === 'updated_at' && second?.column === 'id';
}

/**
 * A deferred join: the page is found by id first, in the order's index, and only its own rows are read whole. Skipping
 * 900,000 rows this way took 84 ms where a plain OFFSET, which builds every row it throws away, took 750 ms. "offset 0" has
 * total and version worked out once: without it each of 50 rows did so, and the statement took more than twice as long.
 */
export function selectProductPage(
  brandId: number,
  { filter, sort, size, start }: PageChoice,
): Statement<ProductPageRow> {
  const { where, isActive, hasVariants } = conditionsOf(brandId, filter);
  const columns = (alias: string) => sort.map(({ column }) => `${alias}.${column}`).join(', ');
  const order = (alias: string) =>
    sort.map(({ column, descending }) => `${alias}.${column} ${descending ? 'desc' : 'asc'}`).join(', ');
  const sortCode = sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join(',');
  const total = isCounted(filter)
    ? countedTotal(isActive, hasVariants)
    : `(select count(*) from products f where ${where.sql})`;
  const most = size <= usualSize ? usualSize : largestSize;
  const isAfter =
    'after' in start
      ? `and (${columns('f')}) ${sort[0]?.descending ? '<' : '>'} (${start.after.map((value) => where.parameter(value)).join(', ')})`
      : '';
  const offset = 'offset' in start && start.offset > 0 ? `offset ${where.parameter(start.offset)}` : '';
  const selected = `f.brand_id, ${columns('f')}${sort.some(({ column }) => column === 'id') ? '' : ', f.id'}`;
  const matches = (further: string) =>
    `select ${selected} from products f where ${where.sql} ${isAfter} ${further}`;
  const inOrder = `order by ${order('f')} limit ${most} ${offset}`;
  const isOrdered = hasIndex(filter, sort);
  const few = isOrdered
    ? `${matches('')} ${inOrder}`
    : `(select f.* from (${matches(`and (select total from found) <= ${fewMatches} offset 0`)}) as f ${inOrder})
       union all
       (${matches(`and (select total from found) > ${fewMatches}`)} ${inOrder})`;
  const begins = isAfter === '' ? (offset === '' ? 'first' : 'offset') : 'after';
  return statement(
    `list_products/${where.code}/${sortCode}/${most}/${begins}`,
    `${isOrdered ? '' : found(total)}
     select
       case when coalesce(p.n, 1) = 1 then list.total end as list_total,
       case when coalesce(p.n, 1) = 1 then list.version end as list_version,
       case when coalesce(p.n, 1) = 1 then list.order_version end as order_version,
       p.*
     from (
       select ${isOrdered ? total : '(select total from found)'} as total, ${productListVersion} as version, ${productOrderVersion} as order_version
       from brands b
       left join brand_catalogs c on c.brand_id = b.id
       where b.id = $1
       offset 0
     ) as list
     left join (
       select ${productViewColumns}, page.n
       from (
         select few.brand_id, few.id, row_number() over (order by ${order('few')}) as n
         from (
           ${few}
         ) as few
         order by ${order('few')}
         limit ${where.parameter(size)}
       ) as page
       join products p on p.brand_id = page.brand_id and p.id = page.id
       ${productViewJoins}
     ) as p on true
     order by p.n`,
    where.values,
    { long: !isCounted(filter) || ('offset' in start && isLongPage(start.offset)) },
  );
}

/** How many rows match, for the branches of the page as well. */
function found(total: string): string {
  return `with found as materialized (
    select ${total} as total from brands b left join brand_catalogs c on c.brand_id = b.id where b.id = $1
  )`;
}

function conditionsOf(brandId: number, { sku, isActive, hasVariants, updatedSince }: ProductFilter) {
  const where = new Conditions(['f.brand_id = $1'], [brandId]);
  where.add('s', (parameter) => `f.sku = ${parameter}`, sku);
  const active = where.add('a', (parameter) => `f.is_active = ${parameter}`, isActive);
  const parents = where.add('v', (parameter) => `f.has_variants = ${parameter}`, hasVariants);
  where.add('u', (parameter) => `f.updated_at >= ${parameter}`, updatedSince);
  return { where, isActive: active, hasVariants: parents };
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
