-- The lines of feeds, a row each. To read some lines of a feed, name the packs as well: a pack with line n has a `first_line`
-- from n - 999 to n. The letters are those of catalog/feeds/feed-pack.ts.
create or replace view stock_feed_lines as
select p.brand_id, p.feed_id, p.first_line, (p.first_line + x.n - 1)::integer as line, x.sku, x.location_code, x.quantity,
  x.reserved, x.updated_at + coalesce(x.micros, 0) * interval '1 microsecond' as updated_at,
  case x.letter
    when 'a' then 'applied'
    when 'u' then 'unchanged'
    when 's' then 'stale'
    when 'k' then 'unknown_sku'
    when 'p' then 'superseded'
    when 'l' then 'unknown_location'
    when 'n' then 'not_stockable'
  end as result
from stock_feed_packs p
cross join lateral rows from (
  unnest(p.skus), unnest(p.location_codes), unnest(p.quantities), unnest(p.reserved), unnest(p.updated_ats),
  unnest(p.updated_micros), string_to_table(p.results, null)
) with ordinality as x (sku, location_code, quantity, reserved, updated_at, micros, letter, n)
where x.sku is not null;
