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
 * Checks that stock versions count up from 0, each in its own slot. A decreased sum would give a list an
 * earlier entity tag. Lost rows look like stock that never changed.
 */
export async function findStockVersionDifferences(
  database: Database,
  brandId: number,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'stock_version_differences',
      `select v.slot::text as key, b.name || ' slot ' || v.slot as id, 'version' as field, v.version::text as stored,
         'above 0' as actual, true as is_repairable
       from brands b
       join brand_stock_versions v on v.brand_id = b.id
       where b.id = $1 and v.version <= 0
       order by v.slot`,
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
