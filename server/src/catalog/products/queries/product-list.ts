import type { ServiceContext } from '../../../api/operation.ts';
import type { Page } from '../../../api/pagination.ts';
import type { ProductView } from '../product.ts';
import type { SortKey } from '../product-sort.ts';
import { productViewFromRow } from './product-view.ts';
import { type PageChoice, type ProductFilter, selectProductPage } from './select-product-page.ts';

/** One page as it was at one moment, and the version that the list had then. */
interface ProductPage {
  readonly products: ProductView[];
  /** Of all that match, exactly. */
  readonly total: number;
  readonly version: string;
}

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
  const list = JSON.stringify([brandId, filter, sort]);
  const anchor = page.offset > 0 && hasOneDirection(sort) ? anchors.find(list, page.offset) : undefined;
  const ask = (start: PageChoice['start']) =>
    database.run(selectProductPage(brandId, { filter, sort, size: page.size, start }));
  let rows = anchor === undefined ? null : await ask({ after: anchor.after });
  if (rows?.[0]?.order_version !== anchor?.version) rows = null;
  rows ??= await ask({ offset: page.offset });

  const [first] = rows;
  const last = rows.at(-1);
  if (first !== undefined && last !== undefined && rows.length === page.size)
    anchors.remember(list, page.offset + page.size, {
      version: first.order_version ?? '',
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
