import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { catalogIncarnation } from './catalog-incarnation.ts';

/**
 * A column with the version of which products a brand has, in which orders: while it is the same, a page begins where it
 * began. Of the brand's `brand_catalogs c`, if it has any.
 */
export const productOrderVersion = `concat_ws('/', coalesce(c.version, 0), c.changed_at, ${catalogIncarnation})`;

/**
 * A column with the version of a brand's product lists, whatever their filters: of its products, their number and their stock,
 * and of the settings that a status is worked out by. Of the brand `b` and its `brand_catalogs c`, if it has any; to be
 * selected by the statement that reads the list, or by one before it. The latest transaction among the rows of the stock
 * version (xmin) tells apart two sums that are equal because the data was restored in between: a restore writes each row
 * anew, and a transaction id does not come again.
 */
export const productListVersion = `concat_ws('/', ${productOrderVersion},
    (select concat_ws('-', coalesce(sum(v.version), 0), max(v.xmin::text::bigint)) from brand_stock_versions v where v.brand_id = b.id),
    b.low_stock_threshold, coalesce(b.stale_after_hours, -1))`;

/** The version of the brand's product lists; null when there is no such brand. */
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
