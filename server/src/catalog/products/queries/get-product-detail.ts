import type { InBrand } from '../../../api/operation.ts';
import { notFound } from '../../../errors/api-error.ts';
import type { Database } from '../../../postgres/database.ts';
import { columnsOf, type SharedRead } from '../../../postgres/shared-reads.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import { selectionJson } from '../../axis-selection/axis-selection-store.ts';
import type { ProductView } from '../../product-records/product.ts';
import {
  type BrandOfViews,
  brandOfViewsColumns,
  productViewJoins,
  productViewRows,
  productViewsFrom,
} from '../../product-records/queries/product-view.ts';
import { type VariantsJson, variantsFromJson, variantsJson } from '../../variants/queries/variants-json.ts';
import { productVersion } from '../../versions/queries/catalog-versions.ts';
import type { ProductDetailView } from '../product-detail.ts';

interface DetailRow extends BrandOfViews {
  readonly product: string;
  readonly selection: AxisSelection;
  readonly variants: VariantsJson;
}

interface Row extends BrandOfViews {
  readonly version: string;
  /** null, as the other columns, if the version is the known one. */
  readonly product: string | null;
  readonly selection: AxisSelection | null;
  /** null too if the product has more variants than the limit of the query. */
  readonly variants: VariantsJson | null;
}

interface VersionedProductDetail extends ProductDetailView {
  readonly version: string;
}

/** The most live variants of a product whose detail is a short statement: about 2 ms here, 4 ms for 500. */
const fewVariants = 200;
const anyNumber = 2_147_483_647;

/**
 * Reads a product with its axes and live variants at one moment; null if its version is `known`, which costs reading the
 * version only. Requests that arrive together share the statement. A product with many variants takes a second, long one, so
 * that no other request waits behind it.
 * @throws ApiError `not_found` when the brand has no such product
 */
export async function getProductDetailUnless(
  database: Pick<Database, 'run' | 'findShared'>,
  brandId: number,
  tuId: string,
  known: string | null,
): Promise<VersionedProductDetail | null> {
  const key: Key = [brandId, tuId, known];
  let row = await database.findShared(productDetailRead, key);
  if (row !== undefined && row.product !== null && row.variants === null)
    [row] = await database.run(selectProductDetail([...key, anyNumber], true));
  if (row === undefined) throw notFound();
  const { product, selection, variants, version } = row;
  if (product === null || selection === null || variants === null) return null;
  return { ...viewOf({ ...row, product, selection, variants }), version };
}

/** Reads a product with all of its variants, in a transaction; null if the brand has no such product. */
export async function findProductDetail(
  { tx, brandId }: InBrand,
  tuId: string,
): Promise<ProductDetailView | null> {
  const [row] = await tx.run(
    statement<DetailRow>(
      'find_product_detail',
      `select ${brandOfViewsColumns}, ${productViewRows.sql} as product, ${selectionJson} as selection,
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
  const [view] = productViewsFrom(product, brand) as [ProductView];
  return { ...view, axes, variants: variantsFromJson(variants, axes) };
}

/** The brand, the id of the product and the known version. */
type Key = readonly [brandId: number, tuId: string, known: string | null];

function selectProductDetail(values: readonly [...Key, mostVariants: number], long: boolean): Statement<Row> {
  const text = selectDetail({ brandId: '$1', tuId: '$2', known: '$3', mostVariants: '$4' });
  return statement('get_product_detail', text, values, { long });
}

/** The product of each key is looked up on its own ("offset 0"), as if it were alone [D76]. */
const productDetailRead: SharedRead<Key, Row> = {
  name: 'get_product_detail',
  nameOf: (key) => key.join(' '),
  one: (key) => selectProductDetail([...key, fewVariants], false),
  several: (keys) =>
    statement(
      'get_product_details',
      `select asked.n::integer as n, detail.*
       from unnest($1::integer[], $2::text[], $3::text[]) with ordinality as asked (brand_id, tu_id, known, n)
       cross join lateral (
         ${selectDetail({ brandId: 'asked.brand_id', tuId: 'asked.tu_id', known: 'asked.known', mostVariants: `${fewVariants}` })}
         offset 0
       ) as detail`,
      columnsOf(keys),
    ),
};

function selectDetail(of: Readonly<Record<'brandId' | 'tuId' | 'known' | 'mostVariants', string>>): string {
  const isChanged = `current.version is distinct from ${of.known}`;
  return `select ${brandOfViewsColumns}, current.version,
       case when ${isChanged} then ${productViewRows.sql} end as product,
       case when ${isChanged} then ${selectionJson} end as selection,
       case when ${isChanged} and p.live_variants <= ${of.mostVariants} then ${variantsJson()} end as variants
     from products p
     ${productViewJoins}
     cross join lateral (select ${productVersion} as version offset 0) as current
     where p.brand_id = ${of.brandId} and p.tu_id = ${of.tuId}`;
}
