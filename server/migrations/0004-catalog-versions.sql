-- By what a poller is told that nothing has changed (`If-None-Match`). A product's own part needs no column: `updated_at`
-- moves with all that a product shows of itself and of its variants, and xmin, the transaction that wrote the row of
-- product_stock, with all that it shows of its stock.

alter table brand_catalogs
  -- Moves with every change of an axis or of an axis value, whose labels products show. Starts from the clock, so that a row
  -- that was lost and made anew by the doctor does not count the same numbers once more.
  add column axes_version bigint not null default extract(epoch from clock_timestamp()) * 1000;

-- How often the stock of a brand has changed: the sum over its rows. A writer moves the row of its own connection
-- (pg_backend_pid() modulo the number of slots), as the last thing that its transaction locks: writers of one brand would
-- otherwise wait for each other's commits, and a lock that is always the last one is in no deadlock.
create table brand_stock_versions (
  brand_id integer not null references brands (id),
  slot smallint not null,
  version bigint not null,
  primary key (brand_id, slot)
)
-- Room on each page for the new version of every row: moving one touches no index, and needs no vacuum.
with (fillfactor = 25);
