import { lockStock } from '../../catalog/stock/brand-stock-store.ts';
import { statement } from '../../postgres/statement.ts';
import type { MainInvariant } from './invariant.ts';
import { brandScan } from './scan.ts';
import { underCatalogLock } from './under-catalog-lock.ts';

/** If the stamp is earlier, the next change is stamped too early, and pollers on `updated_since` miss it. */
const catalogStamp: MainInvariant = {
  id: 'catalog_stamp',
  tables: ['brand_catalogs', 'products'],
  holds: "A brand's last stamp is not before the `updated_at` of any of its products.",
  finds: [
    {
      scan: brandScan,
      sql: `select b.id::text as key, b.name as id, 'changed_at' as field, c.changed_at::text as stored, p.latest::text as actual,
          true as is_repairable
        from brands b
        join brand_catalogs c on c.brand_id = b.id
        cross join lateral (select max(updated_at) as latest from products where brand_id = b.id) p
        where b.id = $1 and c.changed_at < p.latest`,
    },
  ],
  repair: 'moves the stamp forward',
  rewrite: underCatalogLock(({ brandId }) => [
    statement(
      'raise_catalog_stamp',
      `update brand_catalogs c
       set changed_at = greatest(c.changed_at, (select max(updated_at) from products where brand_id = $1))
       where c.brand_id = $1`,
      [brandId],
    ),
  ]),
};

/** If they are behind, the next change gets a number that clients have read past, and they miss it. */
const stockVersions: MainInvariant = {
  id: 'stock_versions',
  tables: ['brand_stocks', 'stock_changes'],
  holds: 'The stock version and stamp of a brand are not behind its latest recorded change of stock.',
  finds: [
    {
      scan: brandScan,
      sql: `select b.id::text as key, b.name as id, f.field, f.stored, f.actual, true as is_repairable
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
    },
  ],
  repair: 'raises them',
  async rewrite(tx, brandId) {
    await lockStock(tx, brandId);
    await tx.run(
      statement<never>(
        'raise_stock_version',
        `update brand_stocks s
         set version = greatest(s.version, c.version), changed_at = greatest(s.changed_at, c.changed_at)
         from (
           select max(c.version) as version, max(c.changed_at) as changed_at from stock_changes c where c.brand_id = $1
         ) c
         where s.brand_id = $1`,
        [brandId],
      ),
    );
  },
};

/**
 * A record from the future holds its key for longer than promised, and a fingerprint of another length matches no request.
 * There are records of about a day: few columns of one range of the primary key.
 */
const idempotencyRecords: MainInvariant = {
  id: 'idempotency_records',
  tables: ['idempotency_records'],
  holds: 'Idempotency records are not from the future, and their fingerprints have 32 bytes.',
  finds: [
    {
      scan: brandScan,
      sql: `select r.idempotency_key as key, r.idempotency_key as id, f.field, f.stored, f.actual, false as is_repairable
        from idempotency_records r
        cross join lateral (values
          ('created_at', r.created_at::text, 'not in the future', r.created_at > now_ms() + interval '1 day'),
          ('fingerprint', octet_length(r.fingerprint) || ' bytes', '32 bytes', octet_length(r.fingerprint) <> 32)
        ) as f (field, stored, actual, differs)
        where r.brand_id = $1 and f.differs
        order by r.lineage_id, r.idempotency_key, f.field
        limit 1000`,
    },
  ],
  repair: null,
};

export const versionInvariants = [catalogStamp, stockVersions, idempotencyRecords];
