import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

/**
 * Columns that identify the catalog whose counters a version reads [D54]: a restored or copied database reaches the same
 * numbers through other changes. The start of the server differs after a failover or the restore of a base backup, the path of
 * a table's file in another database and after a rewrite. Transaction ids in the versions cover a restore that replaces rows.
 */
export const catalogIncarnation = `pg_postmaster_start_time(), pg_relation_filepath('brand_catalogs')`;

/**
 * The version of the brand's set of products and all its orders: while it is unchanged, each page begins at the same row. Reads
 * `brand_catalogs c`, which may be missing.
 */
export const productOrderVersion = `concat_ws('/', coalesce(c.version, 0), c.changed_at, ${catalogIncarnation})`;

/**
 * The version of a brand's lists of products and of levels, for any filter: products, stock and the settings that determine a
 * status. Reads the brand `b` and `brand_catalogs c`, which may be missing. Select it in the statement that reads the list, or
 * before. The transaction of the stock version (xmin) distinguishes versions that are equal after a restore.
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

/**
 * The version of all that the product `p` shows. Reads `p`, its `product_stock s` and its brand `b`. Select it in the statement
 * that reads the product, or before. Fields, selection and variants change `updated_at`, stock its xmin, labels the axes
 * version.
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
