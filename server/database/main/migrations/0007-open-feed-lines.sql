-- The refused lines of feeds that no later line has replaced: one for each SKU and location, which is what operators have to act on.
-- No foreign key to the feed, which would slow every line; rows are deleted with the lines.
create table open_feed_lines (
  brand_id integer not null,
  sku text collate "C" not null,
  location_code text collate "C" not null,
  -- The last feed that was refused, and its line as stored.
  feed_id bigint not null,
  line integer not null,
  -- The newest time of the refused lines, to the microsecond: an older line does not replace them.
  updated_at timestamptz(6) not null,
  constraint open_feed_lines_pkey primary key (brand_id, sku, location_code),
  constraint open_feed_lines_brand_id_fkey foreign key (brand_id) references brands (id)
);
create index open_feed_lines_by_feed on open_feed_lines (brand_id, feed_id);

-- What the overview counts: lines of feeds that ended in the last day. A level that is as new has replaced them.
insert into open_feed_lines (brand_id, sku, location_code, feed_id, line, updated_at)
select distinct on (f.brand_id, x.sku, x.location_code) f.brand_id, x.sku, x.location_code, f.id, p.first_line + x.n - 1, x.updated_at
from stock_feeds f
join stock_feed_packs p on p.brand_id = f.brand_id and p.feed_id = f.id
cross join lateral rows from (
  unnest(p.skus), unnest(p.location_codes), unnest(p.updated_ats), string_to_table(p.results, null)
) with ordinality as x (sku, location_code, updated_at, letter, n)
where f.totals ?| array['unknown_sku', 'unknown_location', 'not_stockable'] and f.finished_at > now_ms() - interval '24 hours'
  and x.letter in ('k', 'l', 'n') and not exists (
    select 1 from stock_levels e
    where e.brand_id = f.brand_id and e.sku = x.sku and e.location_code = x.location_code and not e.is_hidden
      and e.source_updated_at >= x.updated_at
  )
order by f.brand_id, x.sku, x.location_code, f.id desc;
