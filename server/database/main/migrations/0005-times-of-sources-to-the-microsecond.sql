-- The three digits after the millisecond of times of sources. Columns of their own, since processes of version 0.2 read the others
-- while they are replaced, and their prepared statements would fail on another type.
alter table stock_levels add column source_micros smallint not null default 0,
  add constraint stock_levels_micros_range check (source_micros between 0 and 999) not valid;
alter table stock_levels validate constraint stock_levels_micros_range;
-- null: no line of the pack has such digits.
alter table stock_feed_packs add column updated_micros smallint[],
  add constraint stock_feed_packs_micros check (cardinality(updated_micros) = length(results)) not valid;
alter table stock_feed_packs validate constraint stock_feed_packs_micros;
