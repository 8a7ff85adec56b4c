-- The cell that this database is, if there are several [D201]. No row: there is only one database.
create table cell (
  is_only boolean not null default true,
  name text not null,
  constraint cell_pkey primary key (is_only),
  constraint cell_is_only_check check (is_only),
  constraint cell_name_form check (name ~ '^[0-9a-f]{2}$')
);

-- A closed brand is on its way to another cell: nothing of it may change [D202].
alter table brands
  add column closed_at timestamptz(3),
  -- The last time that a closed brand was written to a file.
  add column exported_at timestamptz(3),
  add constraint brands_exported_when_closed check (exported_at is null or closed_at is not null);

-- Copies of the state of the brand, so that looking up a credential still reads one row.
alter table api_keys add column brand_is_closed boolean not null default false;
alter table feed_tokens add column brand_is_closed boolean not null default false;
