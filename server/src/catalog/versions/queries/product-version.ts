import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { catalogIncarnation } from './catalog-incarnation.ts';

/**
 * A column with the version of everything that the product `p` shows, its variants and their stock included: it differs
 * between any two states that differ. Reads `p`, its `product_stock s` and its brand `b`. The statement that reads the
 * product must select it, or one before it. The parts:
 * - `updated_at` of the product, which changes with its fields, its selection and its variants,
 * - the transaction that last wrote its row of product_stock (xmin): every write that changes a level of the product,
 *   or whether a level counts, also writes that row (see the table), so no writer can forget it,
 * - the brand's axes version, for the labels,
 * - the settings that determine a status,
 * - the incarnation of the catalog.
 */
export const productVersion = `concat_ws('/', p.updated_at, s.xmin,
    (select c.axes_version from brand_catalogs c where c.brand_id = p.brand_id),
    b.low_stock_threshold, coalesce(b.stale_after_hours, -1), ${catalogIncarnation})`;

/** Returns the version of one product of the brand; null when there is no such product. */
export async function findProductVersion(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<string | null> {
  const rows = await database.run(
    statement<{ version: string }>(
      'find_product_version',
      `select ${productVersion} as version
       from products p
       join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
       join brands b on b.id = p.brand_id
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return rows[0]?.version ?? null;
}
