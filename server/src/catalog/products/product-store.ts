import type { InBrand } from '../../api/brand-lock.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import {
  column,
  epochMs,
  epochMsOrInfinity,
  type JsonRowsValue,
  jsonRows,
  type RowOf,
} from '../../postgres/json-rows.ts';
import { statement } from '../../postgres/statement.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { selectionJson } from '../axis-selection/axis-selection-store.ts';
import { type CatalogLock, findProductVersion, productVersion } from '../brand-catalog-store.ts';
import { type SkuHolder, skuHolderJson } from '../skus/sku-store.ts';
import { type VariantsJson, variantsFromJson, variantsJson } from '../variants/variant-store.ts';
import { type Product, type ProductDetailView, type ProductView, productFields } from './product.ts';

export interface ReadForCreation {
  readonly id: number;
  readonly holder: SkuHolder | null;
}

/** Draws the id of a new product, and reads who holds its SKU; null if it is free. */
export async function readNewProduct({ tx, brandId }: InBrand, sku: string): Promise<ReadForCreation> {
  const [row] = await tx.run(
    statement<ReadForCreation>(
      'read_new_product',
      `select nextval('products_id_seq') as id, ${skuHolderJson('$2')} as holder`,
      [brandId, sku],
    ),
  );
  return row as ReadForCreation;
}

/** Inserts a product with a drawn id and without stock, and claims its SKU. Sent with the commit. */
export function insertProduct({ tx, brandId }: CatalogLock, product: Product): void {
  const { id, tuId, createdAt, updatedAt } = product;
  tx.queue(
    statement<never>(
      'insert_product',
      `with claimed as (
         insert into sku_claims (brand_id, sku, kind, tu_id) values ($1, $6, 'product', $3)
       ), created as (
         insert into products (brand_id, id, tu_id, created_at, updated_at, ${productFields.list()}) overriding system value
         values ($1, $2, $3, $4, $5, ${productFields.placeholders(7)})
       )
       insert into product_stock (brand_id, product_id) values ($1, $2)`,
      [brandId, id, tuId, createdAt, updatedAt, product.sku, ...productFields.valuesOf(product)],
    ),
  );
}

/** Writes the fields and `updated_at` of a product. Sent with the commit. */
export function updateProduct({ tx, brandId }: CatalogLock, product: Product): void {
  tx.queue(
    statement<never>(
      'update_product',
      `update products set updated_at = $3, ${productFields.assignments(4)} where brand_id = $1 and id = $2`,
      [brandId, product.id, product.updatedAt, ...productFields.valuesOf(product)],
    ),
  );
}

const viewColumns = {
  id: column<number>('p.id'),
  tuId: column<string>('p.tu_id'),
  hasVariants: column<boolean>('p.has_variants'),
  createdAt: epochMs('p.created_at'),
  updatedAt: epochMs('p.updated_at'),
  ...productFields.jsonColumns('p'),
  activeVariants: column<number>('p.active_variants'),
  inheritingVariants: column<number>('p.inheriting_variants'),
  ownPriceMin: column<number | null>('p.own_price_min'),
  ownPriceMax: column<number | null>('p.own_price_max'),
  totalQuantity: column<number>('s.total_quantity'),
  totalReserved: column<number>('s.total_reserved'),
  levels: column<number>(ofVariantsOrOwn('levels')),
  countedLevels: column<number>(ofVariantsOrOwn('counted_levels')),
  available: column<number>(ofVariantsOrOwn('available')),
  freshAt: epochMsOrInfinity(ofVariantsOrOwn('fresh_at')),
};

/** Products with their rollups, as the product queries select them from `products p` and `productViewJoins`. */
export const productViewRows = jsonRows(viewColumns);

function ofVariantsOrOwn(figure: string): string {
  return `case when p.has_variants then s.variant_${figure} else s.own_${figure} end`;
}

export const productStockJoin = 'join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id';

/** The joins that follow `from products p` (or a subquery joined to it). */
export const productViewJoins = `${productStockJoin}
  join brands b on b.id = p.brand_id`;

/** The columns of a BrandOfViews, from `brands b`. */
export const brandOfViewsColumns = `b.id as "brandId", b.low_stock_threshold as "lowStockThreshold",
  b.stale_after_hours as "staleAfterHours"`;

export interface BrandOfViews {
  readonly brandId: number;
  readonly lowStockThreshold: number;
  readonly staleAfterHours: number | null;
}

export function productViewsFrom(products: JsonRowsValue, brand: BrandOfViews): ProductView[] {
  return productViewRows.read(products).map((row) => productViewFromRow(row, brand));
}

/** The view of a product that was read as `productViewRows.one`. */
export function productViewFrom(product: readonly unknown[], brand: BrandOfViews): ProductView {
  return productViewFromRow(productViewRows.readOne(product), brand);
}

function productViewFromRow(row: RowOf<typeof viewColumns>, brand: BrandOfViews): ProductView {
  const { freshAt } = row;
  return {
    product: productFromRow(row, brand.brandId),
    prices: {
      activeVariants: row.activeVariants,
      inheritingVariants: row.inheritingVariants,
      ownPriceMin: row.ownPriceMin,
      ownPriceMax: row.ownPriceMax,
    },
    totalQuantity: row.totalQuantity,
    totalReserved: row.totalReserved,
    stock: {
      levels: row.levels,
      countedLevels: row.countedLevels,
      available: row.available,
      freshAt: freshAt === null ? null : Number(freshAt),
    },
    availabilitySettings: {
      lowStockThreshold: brand.lowStockThreshold,
      staleAfterHours: brand.staleAfterHours,
    },
  };
}

/** Without rest and spread, which take ten times as long for 28 columns. */
function productFromRow(row: RowOf<typeof viewColumns>, brandId: number): Product {
  const product: Record<string, unknown> = {
    brandId,
    id: row.id,
    tuId: row.tuId,
    hasVariants: row.hasVariants,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
  };
  for (const field of productFields.fieldNames) product[field] = row[field];
  return product as unknown as Product;
}

interface DetailRow extends BrandOfViews {
  readonly product: readonly unknown[];
  readonly selection: AxisSelection;
  readonly variants: VariantsJson;
}

interface Row extends Omit<DetailRow, 'variants'> {
  readonly version: string;
  /** null if the product has more variants than the limit of the query. */
  readonly variants: VariantsJson | null;
}

interface VersionedProductDetail extends ProductDetailView {
  readonly version: string;
}

/** The most live variants of a product whose detail is a short statement: about 2 ms here, 4 ms for 500. */
const fewVariants = 200;
const noLimit = 2_147_483_647;

/**
 * Reads a product with its axes and live variants at one moment; null if its version is `known`, which costs reading the
 * version only. A product with many variants takes a second, long statement, so that no other request waits behind it.
 * @throws ApiError `not_found` when the brand has no such product
 */
export async function getProductDetailUnless(
  database: Queryable,
  brandId: number,
  tuId: string,
  known: string | null,
): Promise<VersionedProductDetail | null> {
  if (known !== null && (await findProductVersion(database, brandId, tuId)) === known) return null;
  const select = (mostVariants: number, long: boolean) =>
    database.run(statement<Row>('get_product_detail', selectDetail, [brandId, tuId, mostVariants], { long }));
  let [row] = await select(fewVariants, false);
  if (row !== undefined && row.variants === null) [row] = await select(noLimit, true);
  if (row === undefined) throw notFound();
  const { version, variants, ...detail } = row;
  return { ...viewOf({ ...detail, variants: variants as VariantsJson }), version };
}

const selectDetail = `select ${brandOfViewsColumns}, ${productVersion} as version, ${productViewRows.one} as product,
    ${selectionJson} as selection, case when p.live_variants <= $3 then ${variantsJson()} end as variants
  from products p
  ${productViewJoins}
  where p.brand_id = $1 and p.tu_id = $2`;

/** Reads a product with all of its variants, in a transaction; null if the brand has no such product. */
export async function findProductDetail(
  { tx, brandId }: InBrand,
  tuId: string,
): Promise<ProductDetailView | null> {
  const [row] = await tx.run(
    statement<DetailRow>(
      'find_product_detail',
      `select ${brandOfViewsColumns}, ${productViewRows.one} as product, ${selectionJson} as selection,
         ${variantsJson()} as variants
       from products p
       ${productViewJoins}
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return row === undefined ? null : viewOf(row);
}

function viewOf({ product, selection: axes, variants, ...brand }: DetailRow): ProductDetailView {
  return { ...productViewFrom(product, brand), axes, variants: variantsFromJson(variants, axes) };
}
