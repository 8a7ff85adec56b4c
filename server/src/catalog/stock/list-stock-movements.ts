import { Type } from 'typebox';
import { ExactFilter, exampleIds } from '../../api/field-schemas.ts';
import { readOperation } from '../../api/operation.ts';
import {
  exampleListOf,
  fixedLimit,
  listOf,
  type Page,
  pageMeta,
  pageOf,
  pageQuery,
  skipRows,
} from '../../api/pagination.ts';
import { unchanged } from '../../api/reply.ts';
import { notFound } from '../../errors/api-error.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { column, epochMs, type JsonRowsValue, jsonRows } from '../../postgres/json-rows.ts';
import { type Statement, statement } from '../../postgres/statement.ts';
import { findProductVersion, productVersion } from '../brand-catalog-store.ts';
import { ProductParams } from '../catalog-requests.ts';
import type { StockMovement } from './stock-level.ts';
import { StockMovementWire, stockExample, stockMovementToWire } from './stock-wire.ts';

/** Lists the newest movement first [catalog-82]. */
export const listStockMovementsOperation = readOperation({
  id: 'listStockMovements',
  method: 'GET',
  path: '/products/:tuId/stock/movements',
  tag: 'Stock',
  summary: 'List the stock movements of a product',
  description: `The ledger of the product and its variants, newest first: every change of a quantity by an adjustment or feed. The movements of
a level add up to its quantity. Includes movements of deleted variants.`,
  access: ['catalog.stock:read'],
  params: ProductParams,
  query: Type.Object({
    location: ExactFilter({
      description: 'The `external_code` of a location; an unknown one matches nothing.',
      examples: ['WH-BERLIN'],
    }),
    variant: ExactFilter({
      description: 'The `tu_id` of a variant of this product; an unknown one matches nothing.',
      examples: [exampleIds.variant],
    }),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of movements.',
      schema: listOf(StockMovementWire, 'StockMovementPage'),
      example: exampleListOf(stockExample.movement),
    },
  },
  handle: async ({ database }, { caller, params, query, known }) => {
    const page = pageOf(query);
    const request = { filter: query, page, known };
    const list = await listMovementsUnless(database, caller.brandId, params.tuId, request);
    if (list === null) return unchanged;
    return {
      status: 200,
      body: { data: list.movements.map(stockMovementToWire), meta: pageMeta(page, list.total) },
      version: { state: list.version },
    };
  },
  currentVersion: ({ database }, { caller, params }) =>
    findProductVersion(database, caller.brandId, params.tuId),
});

interface MovementFilter {
  readonly location?: string | undefined;
  readonly variant?: string | undefined;
}

/** One page, and the version of the ledger before it was read. */
interface MovementPage {
  readonly movements: StockMovement[];
  readonly total: number;
  readonly version: string;
}

/**
 * Returns one page, the newest first, deleted variants included; null if the version is `known`. With a filter, the matching
 * levels are found first, so that the rest of a busy ledger is not read.
 * @throws ApiError `not_found` when the brand has no such product
 */
async function listMovementsUnless(
  database: Queryable,
  brandId: number,
  productTuId: string,
  {
    filter,
    page,
    known,
  }: { readonly filter: MovementFilter; readonly page: Page; readonly known: string | null },
): Promise<MovementPage | null> {
  const { id, version } = await findProduct(database, brandId, productTuId);
  if (version === known) return null;
  const [rows, totals] = await Promise.all([
    database.run(selectPage(brandId, id, filter, page)),
    database.run(countMatches(brandId, id, filter)),
  ]);
  const movements = movementRows
    .read(rows[0]?.movements ?? [])
    .map(({ createdAt, ...movement }) => ({ ...movement, productTuId, createdAt: new Date(createdAt) }));
  return { movements, total: totals[0]?.total ?? 0, version };
}

async function findProduct(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<{ id: number; version: string }> {
  const [product] = await database.run(
    statement<{ id: number; version: string }>(
      'find_product_and_version',
      `select p.id, ${productVersion} as version
       from products p
       join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
       join brands b on b.id = p.brand_id
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  if (product === undefined) throw notFound();
  return product;
}

const movementRows = jsonRows({
  id: column<number>('m.id'),
  variantTuId: column<string | null>('v.tu_id'),
  sku: column<string>('m.sku'),
  location: column<string>('m.location_code'),
  quantityBefore: column<number>('m.quantity_before'),
  quantityAfter: column<number>('m.quantity_after'),
  reason: column<StockMovement['reason']>('m.reason'),
  note: column<string>('m.note'),
  createdAt: epochMs('m.created_at'),
});

function selectPage(
  brandId: number,
  productId: number,
  filter: MovementFilter,
  page: Page,
): Statement<{ movements: JsonRowsValue }> {
  const { where, condition } = conditionsOf(brandId, productId, filter);
  const isFiltered = where.code !== '';
  const { offset: skipped, size } = page;
  const offset = isFiltered
    ? `offset ${where.parameter(skipped)}`
    : skipped === 0
      ? ''
      : skipRows(where.parameter(skipped));
  // With a literal, the movements of levels were searched for in the order of all movements: 100,008 rows read, not 8.
  const most = isFiltered ? where.parameter(size) : fixedLimit(size);
  return statement(
    `list_stock_movements/${where.code}${isFiltered ? '' : `/${most}${offset === '' ? '' : '/offset'}`}`,
    `select ${movementRows.aggregate(`
     select ${movementRows.columns}
     from (
       select few.brand_id, few.id
       from (
         select f.brand_id, f.id from stock_movements f
         where ${condition}
         order by f.id desc
         limit ${most} ${offset}
       ) as few
       order by few.id desc
       limit ${isFiltered ? most : where.parameter(size)}
     ) as page
     -- Look-ups, not joins ("offset 0"), for any page size that a plan is made for.
     cross join lateral (
       select m.id, m.variant_id, m.sku, m.location_code, m.quantity_before, m.quantity_after, m.reason, m.note,
         m.created_at
       from stock_movements m where m.brand_id = page.brand_id and m.id = page.id
     ) as m
     left join lateral (
       select v.tu_id from variants v where v.brand_id = page.brand_id and v.id = m.variant_id
     ) as v on true
     order by m.id desc`)} as movements`,
    where.values,
    { long: true },
  );
}

function countMatches(
  brandId: number,
  productId: number,
  filter: MovementFilter,
): Statement<{ total: number }> {
  const { where, condition } = conditionsOf(brandId, productId, filter);
  return statement(
    `count_stock_movements/${where.code}`,
    `select count(*) as total from stock_movements f where ${condition}`,
    where.values,
    { long: true },
  );
}

/** The conditions select levels; without one, `condition` selects the movements of the whole product. */
function conditionsOf(brandId: number, productId: number, { location, variant }: MovementFilter) {
  const where = new Conditions([], [brandId, productId]);
  where.add('l', (parameter) => `l.location_code = ${parameter}`, location);
  where.add(
    'v',
    (parameter) =>
      `l.variant_id = (select v.id from variants v where v.brand_id = $1 and v.tu_id = ${parameter})`,
    variant,
  );
  const condition =
    where.sql === ''
      ? 'f.brand_id = $1 and f.product_id = $2'
      : `f.brand_id = $1 and f.level_id = any(array(
           select l.id from stock_levels l
           where l.brand_id = $1 and l.product_id = $2 and ${where.sql}
         ))`;
  return { where, condition };
}
