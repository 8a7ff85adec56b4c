import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { DifferenceRow } from '../check.ts';

/**
 * Compares the brand's last stamp with the latest `updated_at` of its products: if it is earlier, the next
 * change would be stamped too early, and pollers on `updated_since` would miss it. One entry of an index.
 */
export async function findStampDifferences(database: Database, brandId: number): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'stamp_differences',
      `select b.id::text as key, b.name as id, 'changed_at' as field, c.changed_at::text as stored, p.latest::text as actual,
         true as is_repairable
       from brands b
       join brand_catalogs c on c.brand_id = b.id
       cross join lateral (select max(updated_at) as latest from products where brand_id = b.id) p
       where b.id = $1 and c.changed_at < p.latest`,
      [brandId],
      { long: true },
    ),
  );
}

/**
 * Compares the brand's stock version and stamp with its latest recorded change. If they are earlier, the next change would
 * get a number that clients have read past, and they would miss it. The latest entries of one index.
 */
export async function findStockVersionDifferences(
  database: Database,
  brandId: number,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'stock_version_differences',
      `select b.id::text as key, b.name as id, f.field, f.stored, f.actual, true as is_repairable
       from brands b
       join brand_stocks s on s.brand_id = b.id
       cross join lateral (
         select c.version, c.changed_at from stock_changes c where c.brand_id = b.id order by c.version desc limit 1
       ) c
       cross join lateral (values
         ('version', s.version::text, c.version::text, s.version < c.version),
         ('changed_at', s.changed_at::text, c.changed_at::text, s.changed_at < c.changed_at)
       ) as f (field, stored, actual, differs)
       where b.id = $1 and f.differs`,
      [brandId],
      { long: true },
    ),
  );
}

/**
 * Finds invalid idempotency records: one from the future holds its key for longer than promised, and a fingerprint of
 * another length matches no request. There are records of about a day; the query reads few columns of one range of the
 * primary key.
 */
export async function findIdempotencyDifferences(
  database: Database,
  brandId: number,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'idempotency_differences',
      `select r.idempotency_key as key, r.idempotency_key as id, f.field, f.stored, f.actual, false as is_repairable
       from idempotency_records r
       cross join lateral (values
         ('created_at', r.created_at::text, 'not in the future', r.created_at > clock_timestamp() + interval '1 day'),
         ('fingerprint', octet_length(r.fingerprint) || ' bytes', '32 bytes', octet_length(r.fingerprint) <> 32)
       ) as f (field, stored, actual, differs)
       where r.brand_id = $1 and f.differs
       order by r.lineage_id, r.idempotency_key, f.field
       limit 1000`,
      [brandId],
      { long: true },
    ),
  );
}
