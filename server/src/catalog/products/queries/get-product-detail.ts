import type { InBrand } from '../../../api/operation.ts';
import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
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
 * version only. A product with many variants takes a second, long statement, so that no other request waits behind it.
 * @throws ApiError `not_found` when the brand has no such product
 */
export async function getProductDetailUnless(
  database: Queryable,
  brandId: number,
  tuId: string,
  known: string | null,
): Promise<VersionedProductDetail | null> {
  const select = (mostVariants: number, long: boolean) =>
    database.run(
      statement<Row>('get_product_detail', selectDetail, [brandId, tuId, known, mostVariants], { long }),
    );
  let [row] = await select(fewVariants, false);
  if (row !== undefined && row.product !== null && row.variants === null)
    [row] = await select(anyNumber, true);
  if (row === undefined) throw notFound();
  const { product, selection, variants, version } = row;
  if (product === null || selection === null || variants === null) return null;
  return { ...viewOf({ ...row, product, selection, variants }), version };
}

const isChanged = 'current.version is distinct from $3';
const selectDetail = `select ${brandOfViewsColumns}, current.version,
    case when ${isChanged} then ${productViewRows.sql} end as product,
    case when ${isChanged} then ${selectionJson} end as selection,
    case when ${isChanged} and p.live_variants <= $4 then ${variantsJson()} end as variants
  from products p
  ${productViewJoins}
  cross join lateral (select ${productVersion} as version) as current
  where p.brand_id = $1 and p.tu_id = $2`;

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
