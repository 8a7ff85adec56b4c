-- The lines of feeds, a thousand to a row: position i of each array is the line `first_line` + i. A row a line took 256 bytes of
-- table and index; packed and compressed, a line takes 13 to 36 [D220]. `results` has a letter for each line
-- (views/stock-feed-lines.sql), "." while it is undecided. It stays in the row, because it is rewritten with every chunk; the
-- arrays never change, and are stored apart. A null `sku` is a line that is missing.
create table stock_feed_packs (
  brand_id integer not null,
  feed_id bigint not null,
  first_line integer not null,
  skus text[] collate "C" not null,
  location_codes text[] collate "C" not null,
  quantities integer[] not null,
  reserved integer[] not null,
  updated_ats timestamptz(3)[] not null,
  results text collate "C" not null,
  constraint stock_feed_packs_pkey primary key (brand_id, feed_id, first_line),
  constraint stock_feed_packs_of_feed foreign key (brand_id, feed_id) references stock_feeds (brand_id, id),
  constraint stock_feed_packs_place check (first_line >= 0 and first_line % 1000 = 0),
  constraint stock_feed_packs_results check (results ~ '^[.auskpln]+$' and length(results) <= 1000),
  constraint stock_feed_packs_lengths check (
    cardinality(skus) = length(results) and cardinality(location_codes) = length(results)
    and cardinality(quantities) = length(results) and cardinality(reserved) = length(results)
    and cardinality(updated_ats) = length(results)
  )
) with (fillfactor = 80, toast_tuple_target = 128);
alter table stock_feed_packs alter column results set storage main;

-- Feeds of the version before wait here, so that none adds lines that would not move; reports go on.
lock table stock_feed_lines in share row exclusive mode;

-- Linear in the lines: one sort, or a walk along the primary key. Lines that a damaged feed lacks leave nulls.
insert into stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results)
select x.brand_id, x.feed_id, x.line / 1000 * 1000, array_agg(x.sku order by x.line),
  array_agg(x.location_code order by x.line), array_agg(x.quantity order by x.line),
  array_agg(x.reserved order by x.line), array_agg(x.updated_at order by x.line),
  string_agg(
    case x.result
      when 'applied' then 'a'
      when 'unchanged' then 'u'
      when 'stale' then 's'
      when 'unknown_sku' then 'k'
      when 'superseded' then 'p'
      when 'unknown_location' then 'l'
      when 'not_stockable' then 'n'
      else '.'
    end, '' order by x.line)
from (
  select l.brand_id, l.feed_id, l.line, l.sku, l.location_code, l.quantity, l.reserved, l.updated_at, l.result
  from stock_feed_lines l
  union all
  select g.brand_id, g.feed_id, generate_series(g.previous + 1, g.line - 1), null, null, null, null, null, null
  from (
    select l.brand_id, l.feed_id, l.line,
      lag(l.line, 1, -1) over (partition by l.brand_id, l.feed_id order by l.line) as previous
    from stock_feed_lines l
  ) g
  where g.line > g.previous + 1
) x
group by x.brand_id, x.feed_id, x.line / 1000;

drop table stock_feed_lines;
drop index stock_feeds_with_lines_by_id;
