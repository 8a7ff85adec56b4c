-- The lines of feeds that were refused in favour of a newer quantity (`stale`, `superseded`), by SKU and location, to explain a
-- level. An index of stock_feed_lines would slow every line, since the result is written last. No foreign key, for the same
-- reason; rows are deleted with the lines.
create table refused_feed_lines (
  brand_id integer not null,
  sku text collate "C" not null,
  location_code text collate "C" not null,
  feed_id bigint not null,
  line integer not null,
  result text not null,
  refused_at timestamptz(3) not null,
  constraint refused_feed_lines_pkey primary key (brand_id, sku, location_code, feed_id, line),
  constraint refused_feed_lines_brand_id_fkey foreign key (brand_id) references brands (id),
  constraint refused_feed_lines_result check (result = any (array['stale', 'superseded']))
);
create index refused_feed_lines_by_feed on refused_feed_lines (brand_id, feed_id);
