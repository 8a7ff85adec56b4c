import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { catalogIncarnation } from './catalog-incarnation.ts';

/**
 * A column with the version of everything that the product `p` shows. Reads `p`, its `product_stock s` and its brand
 * `b`. Select it in the statement that reads the product, or before. The parts: `updated_at`, which changes with
 * fields, selection and variants; the transaction that last wrote its stock (xmin); the axes version, for labels; the
 * settings that determine a status; the incarnation of the catalog.
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
