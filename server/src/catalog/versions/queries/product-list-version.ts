import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { catalogIncarnation } from './catalog-incarnation.ts';

/**
 * A column with the version of the brand's set of products and all its orders: while it is unchanged, each page begins
 * at the same row. Reads the brand's `brand_catalogs c`, which may be missing.
 */
export const productOrderVersion = `concat_ws('/', coalesce(c.version, 0), c.changed_at, ${catalogIncarnation})`;

/**
 * A column with the version of a brand's lists of products and of stock levels, for any filter: products, stock and the
 * settings that determine a status. Reads the brand `b` and its `brand_catalogs c`, which may be missing. Select it in
 * the statement that reads the list, or before. The transaction of the stock version (xmin) distinguishes versions that
 * are equal after a restore.
 */
export const productListVersion = `concat_ws('/', ${productOrderVersion},
    (select concat_ws('-', s.version, s.xmin) from brand_stocks s where s.brand_id = b.id),
    b.low_stock_threshold, coalesce(b.stale_after_hours, -1))`;

/** Returns the version of the brand's lists of products and levels; null when there is no such brand. */
export async function findProductListVersion(database: Queryable, brandId: number): Promise<string | null> {
  const rows = await database.run(
    statement<{ version: string }>(
      'find_product_list_version',
      `select ${productListVersion} as version
       from brands b
       left join brand_catalogs c on c.brand_id = b.id
       where b.id = $1`,
      [brandId],
    ),
  );
  return rows[0]?.version ?? null;
}
