import type { ServiceContext } from '../../../api/operation.ts';
import type { Page } from '../../../api/pagination.ts';
import type { Product, ProductView } from '../../product-records/product.ts';
import { productViewsFrom } from '../../product-records/queries/product-view.ts';
import type { SortKey } from '../product-sort.ts';
import { type PageChoice, type ProductFilter, selectProductPage } from './select-product-page.ts';

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
  const list = JSON.stringify([brandId, filter, sort]);
  const anchor = page.offset > 0 && hasOneDirection(sort) ? anchors.find(list, page.offset) : undefined;
  const ask = async (start: PageChoice['start']) => {
    const rows = await database.run(
      selectProductPage(brandId, { filter, sort, size: page.size, start, known }),
    );
    return rows[0];
  };
  let row = anchor === undefined ? undefined : await ask({ after: anchor.after });
  if (row?.order_version !== anchor?.version && row?.products !== null) row = undefined;
  row ??= await ask({ offset: page.offset });
  if (row === undefined) return { products: [], total: 0, version: '' };

  if (row.products === null) return null;
  const products = productViewsFrom(row.products, row);
  const last = products.at(-1)?.product;
  if (last !== undefined && products.length === page.size)
    anchors.remember(list, page.offset + page.size, {
      version: row.order_version,
      after: sort.map(({ column }) => sortValueOf[column](last)),
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
