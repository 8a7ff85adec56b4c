import type { InBrand } from '../../../api/operation.ts';
import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import { selectionJson } from '../../axis-selection/axis-selection-store.ts';
import {
  type BrandOfViews,
  brandOfViewsColumns,
  productViewFrom,
  productViewJoins,
  productViewRows,
} from '../../product-records/queries/product-view.ts';
import { type VariantsJson, variantsFromJson, variantsJson } from '../../variants/queries/variants-json.ts';
import { findProductVersion, productVersion } from '../../versions/queries/catalog-versions.ts';
import type { ProductDetailView } from '../product-detail.ts';

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
  if (known !== null && (await findProductVersion(database, brandId, tuId)) === known) return null;
  const select = (mostVariants: number, long: boolean) =>
    database.run(statement<Row>('get_product_detail', selectDetail, [brandId, tuId, mostVariants], { long }));
  let [row] = await select(fewVariants, false);
  if (row !== undefined && row.variants === null) [row] = await select(anyNumber, true);
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
