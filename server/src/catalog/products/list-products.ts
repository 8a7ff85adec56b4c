import { type Static, Type } from 'typebox';
import { ActiveFilter, ExactFilter, Instant } from '../../api/field-schemas.ts';
import { readOperation, type ServiceContext } from '../../api/operation.ts';
import {
  exampleListOf,
  fixedLimit,
  isLongPage,
  listOf,
  type Page,
  pageMeta,
  pageOf,
  pageQuery,
  skipRows,
} from '../../api/pagination.ts';
import { unchanged } from '../../api/reply.ts';
import { parseInstant } from '../../lib/instant.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { JsonRowsValue } from '../../postgres/json-rows.ts';
import { type Statement, statement } from '../../postgres/statement.ts';
import { findProductListVersion, productListVersion, productOrderVersion } from '../brand-catalog-store.ts';
import { statusesHoldUntil } from '../stock/stock-level.ts';
import type { Product, ProductView } from './product.ts';
import {
  type BrandOfViews,
  brandOfViewsColumns,
  productStockJoin,
  productViewRows,
  productViewsFrom,
} from './product-store.ts';
import { ProductListItemWire, productExample, productListItemToWire } from './product-wire.ts';

const ListProductsQuery = Type.Object({
  sku: ExactFilter({ description: 'Exact SKU; case-sensitive.', examples: ['TEE-001'] }),
  is_active: ActiveFilter,
  has_variants: Type.Optional(
    Type.Boolean({
      description: '`true`: only variant parents; `false`: only simple products.',
      examples: [true],
    }),
  ),
  updated_since: Type.Optional(
    Instant({ description: '`updated_at` at or after this time.', examples: ['2026-03-01T08:30:00Z'] }),
  ),
  sort: ExactFilter({
    description:
      'Comma-separated fields, with a `-` prefix for descending: `sku`, `created_at`, `updated_at`. Other names are ignored. Default `-updated_at`.',
    examples: ['-updated_at'],
  }),
  ...pageQuery,
});

/** Filters and sorts on request [catalog-22]. */
export const listProductsOperation = readOperation({
  id: 'listProducts',
  method: 'GET',
  path: '/products',
  tag: 'Products',
  summary: 'List products',
  description: `Includes inactive products; filter with \`is_active\`.

To follow changes, poll \`updated_since=<the last updated_at you received>&sort=updated_at\`: \`updated_at\` follows commit
order, so no change is missed. The bound is inclusive: the last product you received is returned again.`,
  access: ['catalog.products:read'],
  query: ListProductsQuery,
  responses: {
    200: {
      description: 'One page of products.',
      schema: listOf(ProductListItemWire, 'ProductPage'),
      example: exampleListOf(productExample.listItem),
    },
  },
  handle: async (context, { caller, query, known }) => {
    const page = pageOf(query);
    const request = { filter: filterOf(query), sort: parseSort(query.sort), page, known };
    const list = await listProductsUnless(context, caller.brandId, request);
    if (list === null) return unchanged;
    const { products, total, version } = list;
    const now = context.clock.now();
    const settings = products[0]?.availabilitySettings;
    const stocks = products.map(({ stock }) => stock);
    return {
      status: 200,
      body: {
        data: products.map((product) => productListItemToWire(product, caller, now)),
        meta: pageMeta(page, total),
      },
      version: {
        state: version,
        freshUntil: settings === undefined ? null : statusesHoldUntil(stocks, settings, now),
      },
    };
  },
  currentVersion: ({ database }, { caller }) => findProductListVersion(database, caller.brandId),
});

function filterOf(query: Static<typeof ListProductsQuery>): ProductFilter {
  const { sku, is_active: isActive, has_variants: hasVariants, updated_since: since } = query;
  const updatedSince = since === undefined ? undefined : (parseInstant(since) ?? undefined);
  return { sku, isActive, hasVariants, updatedSince };
}

export interface ProductFilter {
  readonly sku?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly hasVariants?: boolean | undefined;
  /** Inclusive. */
  readonly updatedSince?: Date | undefined;
}

/** The columns by which the product list can be ordered [catalog-24]. */
const sortable = ['sku', 'created_at', 'updated_at'] as const;

interface SortKey {
  readonly column: (typeof sortable)[number] | 'id';
  readonly descending: boolean;
}

/**
 * Parses `sort=sku,-updated_at`. Unknown and repeated fields are ignored; the default is `-updated_at`. Every order ends on
 * `id`, in the direction of the last field, so that pages neither skip nor repeat rows and an index can be read from either end
 * [platform-45]. `sku` is unique, so fields after it are dropped.
 */
export function parseSort(sort: string | undefined): SortKey[] {
  const keys: SortKey[] = [];
  for (const part of (sort ?? '').split(',')) {
    const descending = part.startsWith('-');
    const column = sortable.find((name) => name === part.slice(descending ? 1 : 0));
    if (column === undefined || keys.some((key) => key.column === column)) continue;
    keys.push({ column, descending });
    if (column === 'sku') return keys;
  }
  if (keys.length === 0) keys.push({ column: 'updated_at', descending: true });
  return [...keys, { column: 'id', descending: keys.at(-1)?.descending ?? true }];
}

interface ProductListRequest {
  readonly filter: ProductFilter;
  readonly sort: readonly SortKey[];
  readonly page: Page;
  /** The version of the list that the caller has; null if it has none. */
  readonly known: string | null;
}

interface ProductPage {
  readonly products: ProductView[];
  readonly total: number;
  readonly version: string;
}

/**
 * Reads one page, the exact number of matches and the list's version at one moment; null if the version is `known`. Totals
 * without a filter, or by `is_active` or `has_variants`, are the brand's counters. A page that follows one served before begins
 * where that one ended, if no product has changed since [D39].
 */
export async function listProductsUnless(
  { database, anchors }: Pick<ServiceContext, 'database' | 'anchors'>,
  brandId: number,
  { filter, sort, page, known }: ProductListRequest,
): Promise<ProductPage | null> {
  const list = JSON.stringify([filter, sort]);
  const anchor =
    page.offset > 0 && hasOneDirection(sort) ? anchors.find(brandId, list, page.offset) : undefined;
  const ask = async (start: PageChoice['start']) => {
    const rows = await database.run(
      selectProductPage(brandId, { filter, sort, size: page.size, start, known }),
    );
    return rows[0];
  };
  let row = anchor === undefined ? undefined : await ask({ after: anchor.after });
  if (row?.orderVersion !== anchor?.version && row?.products !== null) row = undefined;
  row ??= await ask({ offset: page.offset });
  if (row === undefined) return { products: [], total: 0, version: '' };

  if (row.products === null) return null;
  const products = productViewsFrom(row.products, row);
  const last = products.at(-1)?.product;
  if (last !== undefined && products.length === page.size)
    anchors.remember(brandId, list, {
      offset: page.offset + page.size,
      anchor: { version: row.orderVersion, after: sort.map(({ column }) => sortValueOf[column](last)) },
    });
  return { products, total: row.total ?? 0, version: row.version };
}

const sortValueOf: Readonly<Record<SortKey['column'], (product: Product) => unknown>> = {
  sku: ({ sku }) => sku,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  id: ({ id }) => id,
};

/** Only with one direction is "after this row" a single condition that an index supports. */
function hasOneDirection(sort: readonly SortKey[]): boolean {
  return sort.every(({ descending }) => descending === sort[0]?.descending);
}

interface PageChoice {
  readonly filter: ProductFilter;
  readonly sort: readonly SortKey[];
  /** The number of rows of a full page, at most 200. */
  readonly size: number;
  /** Skips `offset` rows, or begins after the row with the sort key `after`, if that row is known. */
  readonly start: { readonly offset: number } | { readonly after: readonly unknown[] };
  /** If the list has this version, neither rows nor total are read. */
  readonly known: string | null;
}

interface ProductPageRow extends BrandOfViews {
  /** null, as `products`, if the version is the known one. */
  readonly total: number | null;
  readonly version: string;
  readonly orderVersion: string;
  readonly products: JsonRowsValue | null;
}

/**
 * A deferred join: the page is found by id in the order's index, and only its own rows are read in full. Skipping 900,000 rows
 * took 84 ms; a plain OFFSET, which builds every row that it discards, 750 ms.
 */
function selectProductPage(
  brandId: number,
  { filter, sort, size, start, known }: PageChoice,
): Statement<ProductPageRow> {
  const { where, isActive, hasVariants } = conditionsOf(brandId, filter);
  const columns = (alias: string) => sort.map(({ column }) => `${alias}.${column}`).join(', ');
  const order = (alias: string) =>
    sort.map(({ column, descending }) => `${alias}.${column} ${descending ? 'desc' : 'asc'}`).join(', ');
  const sortCode = sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join(',');
  const total = isCounted(filter)
    ? countedTotal(isActive, hasVariants)
    : `(select count(*) from products f where ${where.sql})`;
  const most = fixedLimit(size);
  const isAfter =
    'after' in start
      ? `and (${columns('f')}) ${sort[0]?.descending ? '<' : '>'} (${start.after.map((value) => where.parameter(value)).join(', ')})`
      : '';
  const offset = 'offset' in start && start.offset > 0 ? skipRows(where.parameter(start.offset)) : '';
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
  const isChanged = `current.version is distinct from ${where.parameter(known)}`;
  const begins = isAfter === '' ? (offset === '' ? 'first' : 'offset') : 'after';
  return statement(
    `list_products/${where.code}/${sortCode}/${most}/${begins}`,
    `${isOrdered ? '' : found(total)}
     select ${brandOfViewsColumns}, current.version, ${productOrderVersion} as "orderVersion",
       case when ${isChanged} then ${isOrdered ? total : '(select total from found)'} end as total,
       case when ${isChanged} then ${productViewRows.aggregate(`
         select ${productViewRows.columns}
         from (
           select few.brand_id, few.id, row_number() over (order by ${order('few')}) as n
           from (
             ${few}
           ) as few
           order by ${order('few')}
           limit ${where.parameter(size)}
         ) as page
         join products p on p.brand_id = page.brand_id and p.id = page.id
         ${productStockJoin}
         order by page.n`)} end as products
     from brands b
     left join brand_catalogs c on c.brand_id = b.id
     cross join lateral (select ${productListVersion} as version offset 0) as current
     where b.id = $1`,
    where.values,
    { long: !isCounted(filter) || ('offset' in start && isLongPage(start.offset)) },
  );
}

function conditionsOf(brandId: number, { sku, isActive, hasVariants, updatedSince }: ProductFilter) {
  const where = new Conditions(['f.brand_id = $1'], [brandId]);
  where.add('s', (parameter) => `f.sku = ${parameter}`, sku);
  const active = where.add('a', (parameter) => `f.is_active = ${parameter}`, isActive);
  const parents = where.add('v', (parameter) => `f.has_variants = ${parameter}`, hasVariants);
  where.add('u', (parameter) => `f.updated_at >= ${parameter}`, updatedSince);
  return { where, isActive: active, hasVariants: parents };
}

function isCounted({ sku, updatedSince }: ProductFilter): boolean {
  return sku === undefined && updatedSince === undefined;
}

/** The total of every combination of the two filters, given by their parameters, from four counters of `brand_catalogs c`. */
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

// Up to this number, the matches are read and sorted, some 10 ms. Beyond it, rows are read in list order until the page is
// full.
const fewMatches = 10_000;

/**
 * Returns whether an index has the filtered rows in list order. Without one, they are read in list order and filtered: soon
 * full if many rows match, but a few may come last (60,000 rows read of 60,000 for the inactive products by SKU).
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

/** Selects the number of matching rows, for the branches of the page too. */
function found(total: string): string {
  return `with found as materialized (
    select ${total} as total from brands b left join brand_catalogs c on c.brand_id = b.id where b.id = $1
  )`;
}
