-- One row of each brand is the lock of its stock, counts its changes and keeps their last stamp [D217]. It replaces the
-- sums over 32 slots, which let writers of one brand avoid each other.

create table brand_stocks (
  brand_id integer primary key references brands,
  version bigint not null,
  changed_at timestamptz(3) not null,
  constraint brand_stocks_version_range check (version >= 0)
) with (fillfactor = 25);

insert into brand_stocks (brand_id, version, changed_at)
select b.id, coalesce((select sum(v.version) from brand_stock_versions v where v.brand_id = b.id), 0), b.created_at
from brands b;

drop table brand_stock_versions;

-- Every brand has its rows from the start, so that a write can always lock them.
insert into brand_catalogs (brand_id, version, changed_at)
select b.id, 0, b.created_at from brands b
on conflict (brand_id) do nothing;

-- The levels that each transaction changed, in the order of the commits [catalog-120].
create table stock_changes (
  brand_id integer not null references brands,
  version bigint not null,
  changed_at timestamptz(3) not null,
  level_ids bigint[] not null,
  primary key (brand_id, version)
);
create index stock_changes_by_age on stock_changes (changed_at);
