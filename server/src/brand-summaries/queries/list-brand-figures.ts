import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

export interface BrandFigures {
  readonly brandId: number;
  readonly products: number;
  readonly activeKeys: number;
  readonly lastRequestAt: Date | null;
  readonly oldestFeedAt: Date | null;
}

/** Reads a counter, the keys and feed tokens, and the first unfinished feed: nothing that grows with the catalog. */
export function listBrandFigures(
  database: Database,
  brandIds: readonly number[],
  now: Date,
): Promise<BrandFigures[]> {
  return database.run(
    statement<BrandFigures>(
      'list_brand_figures',
      `select g.id as "brandId", coalesce(c.products_total, 0) as products, k.active_keys as "activeKeys",
         greatest(k.last_used_at, t.last_used_at) as "lastRequestAt", f.received_at as "oldestFeedAt"
       from unnest($1::integer[]) as g (id)
       left join brand_catalogs c on c.brand_id = g.id
       cross join lateral (
         select count(*) filter (where revoked_at is null and (expires_at is null or expires_at > $2::timestamptz))
             as active_keys,
           max(last_used_at) as last_used_at
         from api_keys where brand_id = g.id
       ) as k
       cross join lateral (select max(last_used_at) as last_used_at from feed_tokens where brand_id = g.id) as t
       left join lateral (
         select received_at from stock_feeds where brand_id = g.id and finished_at is null order by id limit 1
       ) as f on true`,
      [brandIds, now],
      { long: true },
    ),
  );
}
