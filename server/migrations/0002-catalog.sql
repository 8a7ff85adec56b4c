-- Axes, variants, stock and feeds, and the rollups that product reads take their figures from.

create table axes (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  code text collate "C" not null,
  label text,
  position integer not null,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint axes_code_unique unique (brand_id, code),
  constraint axes_code_form check (code ~ '^[a-zA-Z0-9._-]{1,64}$'),
  constraint axes_label_length check (char_length(label) between 1 and 255)
);

create table axis_values (
  brand_id integer not null references brands (id),
  axis_id bigint not null,
  id bigint generated always as identity,
  value text collate "C" not null,
  label text,
  position integer not null,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, axis_id, id),
  constraint axis_values_value_unique unique (brand_id, axis_id, value),
  constraint axis_values_of_axis foreign key (brand_id, axis_id) references axes (brand_id, id) on delete cascade,
  constraint axis_values_value_form check (value ~ '^[a-zA-Z0-9._-]{1,64}$'),
  constraint axis_values_label_length check (char_length(label) between 1 and 255)
);

-- The selection of a product. An axis or value that is selected cannot be deleted.
create table product_axes (
  brand_id integer not null,
  product_id bigint not null,
  axis_id bigint not null,
  position integer not null,
  primary key (brand_id, product_id, axis_id),
  constraint product_axes_of_product foreign key (brand_id, product_id) references products (brand_id, id),
  constraint product_axes_axis foreign key (brand_id, axis_id) references axes (brand_id, id)
);

create index product_axes_by_axis on product_axes (brand_id, axis_id);

create table product_axis_values (
  brand_id integer not null,
  product_id bigint not null,
  axis_id bigint not null,
  value_id bigint not null,
  primary key (brand_id, product_id, axis_id, value_id),
  constraint product_axis_values_of_axis foreign key (brand_id, product_id, axis_id)
    references product_axes (brand_id, product_id, axis_id) on delete cascade,
  constraint product_axis_values_value foreign key (brand_id, axis_id, value_id)
    references axis_values (brand_id, axis_id, id)
);

create index product_axis_values_by_value on product_axis_values (brand_id, axis_id, value_id);

create table variants (
  brand_id integer not null,
  id bigint generated always as identity,
  product_id bigint not null,
  tu_id text collate "C" not null,
  sku text collate "C" not null,
  barcode text,
  -- The values of the combination, as "axis id:value id" in ascending order of axis id, separated by commas.
  combination text collate "C" not null,
  -- null: the product's price.
  price_value numeric(15, 4),
  position integer not null,
  is_active boolean not null default false,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (brand_id, id),
  constraint variants_tu_id_unique unique (brand_id, tu_id),
  constraint variants_sku_unique unique (brand_id, sku),
  constraint variants_sku_claimed foreign key (brand_id, sku) references sku_claims (brand_id, sku),
  constraint variants_of_product foreign key (brand_id, product_id) references products (brand_id, id),
  constraint variants_price_range check (price_value >= 0),
  constraint variants_barcode_length check (char_length(barcode) between 1 and 64)
);

-- A deleted variant frees its combination. By its digest, because an index entry has a largest size, and a product may
-- select any number of axes.
create unique index variants_combination_unique on variants (brand_id, product_id, sha256(combination::bytea))
  where deleted_at is null;
-- The order of the variant list; live variants only.
create index variants_in_order on variants (brand_id, product_id, position, id) where deleted_at is null;

-- The values that live variants carry; deleting a variant deletes its rows here, which frees values and axes.
create table variant_axis_values (
  brand_id integer not null,
  variant_id bigint not null,
  axis_id bigint not null,
  value_id bigint not null,
  primary key (brand_id, variant_id, axis_id),
  constraint variant_axis_values_of_variant foreign key (brand_id, variant_id) references variants (brand_id, id),
  constraint variant_axis_values_value foreign key (brand_id, axis_id, value_id)
    references axis_values (brand_id, axis_id, id)
);

create index variant_axis_values_by_value on variant_axis_values (brand_id, axis_id, value_id);

-- What a product shows of its variants, changed in the same transaction as they are, under the brand's catalog lock.
-- The range of effective prices follows from these and the product's own price, so a change of that shows at once.
alter table products
  add column live_variants integer not null default 0,
  add column active_variants integer not null default 0,
  -- Active variants without a price of their own.
  add column inheriting_variants integer not null default 0,
  -- Over the active variants that have a price of their own.
  add column own_price_min numeric(15, 4),
  add column own_price_max numeric(15, 4),
  add constraint products_variant_rollup check (
    0 <= inheriting_variants and inheriting_variants <= active_variants and active_variants <= live_variants
    and has_variants = (live_variants > 0)
  );

create table stock_locations (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  external_code text collate "C" not null,
  name text not null,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint stock_locations_code_unique unique (brand_id, external_code),
  constraint stock_locations_code_form check (external_code ~ '^[A-Za-z0-9._~-]{1,64}$'),
  constraint stock_locations_name_length check (char_length(name) between 1 and 255)
);

-- One figure for a product's own stock (variant_id null) or a variant's, at one location.
create table stock_levels (
  brand_id integer not null,
  id bigint generated always as identity,
  product_id bigint not null,
  variant_id bigint,
  location_id bigint not null,
  -- Copies for the order of the level list; the first follows a rename, the second never changes.
  sku text collate "C" not null,
  location_code text collate "C" not null,
  -- The variant is deleted: the level keeps its figures and its ledger, but is shown nowhere.
  is_hidden boolean not null default false,
  quantity integer not null,
  reserved integer not null default 0,
  source_updated_at timestamptz(3) not null,
  -- Whether the last write was a feed's; only those grow stale.
  is_from_feed boolean not null,
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint stock_levels_place_unique unique nulls not distinct (brand_id, product_id, variant_id, location_id),
  constraint stock_levels_of_product foreign key (brand_id, product_id) references products (brand_id, id),
  constraint stock_levels_of_variant foreign key (brand_id, variant_id) references variants (brand_id, id),
  constraint stock_levels_location foreign key (brand_id, location_id) references stock_locations (brand_id, id),
  constraint stock_levels_quantity_range check (quantity >= 0),
  constraint stock_levels_reserved_range check (reserved >= 0)
)
-- Room on each page for the new version of a row: a changed figure then touches none of the indexes.
with (fillfactor = 85);

create index stock_levels_in_order on stock_levels (brand_id, sku, location_code) where not is_hidden;
create index stock_levels_by_location on stock_levels (brand_id, location_code, sku) where not is_hidden;

-- The ledger: every change of a level's quantity, in the level's own transaction.
create table stock_movements (
  brand_id integer not null,
  id bigint generated always as identity,
  level_id bigint not null,
  product_id bigint not null,
  variant_id bigint,
  -- As they were when the movement was written.
  sku text collate "C" not null,
  location_code text collate "C" not null,
  quantity_before integer not null,
  quantity_after integer not null,
  delta integer not null generated always as (quantity_after - quantity_before) stored,
  reason text not null,
  note text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint stock_movements_level foreign key (brand_id, level_id) references stock_levels (brand_id, id),
  constraint stock_movements_reason check (reason in ('manual', 'feed')),
  constraint stock_movements_moves check (quantity_before <> quantity_after),
  constraint stock_movements_note_length check (char_length(note) between 1 and 255)
);

create index stock_movements_by_product on stock_movements (brand_id, product_id, id);
create index stock_movements_by_level on stock_movements (brand_id, level_id, id);

-- What a product shows of its stock. Whoever changes a level, or what decides whether a level counts (a variant's
-- is_active, its deletion, a location's is_active), first locks the rows of the products concerned, by product id, and
-- refreshes them before the commit.
create table product_stock (
  brand_id integer not null,
  product_id bigint not null,
  -- Over all levels of the product and its live variants.
  total_quantity bigint not null default 0,
  total_reserved bigint not null default 0,
  -- The product's own levels: how many, how many at active locations, what is available at those, and how fresh they
  -- are (the latest source_updated_at of those; infinity where a write that was not a feed's keeps them from growing
  -- stale).
  own_levels integer not null default 0,
  own_counted_levels integer not null default 0,
  own_available bigint not null default 0,
  own_fresh_at timestamptz(3),
  -- The same over the active live variants.
  variant_levels integer not null default 0,
  variant_counted_levels integer not null default 0,
  variant_available bigint not null default 0,
  variant_fresh_at timestamptz(3),
  primary key (brand_id, product_id),
  constraint product_stock_of_product foreign key (brand_id, product_id) references products (brand_id, id)
) with (fillfactor = 80);

insert into product_stock (brand_id, product_id) select brand_id, id from products;

-- What product_stock has to say, worked out from the levels of the product and its live variants. The refresh after a
-- change and the doctor both read it; adjust_stock_level moves the same figures by what one level has changed.
create view product_stock_truth as
select p.brand_id, p.id as product_id,
  coalesce(sum(l.quantity) filter (where v.deleted_at is null), 0)::bigint as total_quantity,
  coalesce(sum(l.reserved) filter (where v.deleted_at is null), 0)::bigint as total_reserved,
  count(l.id) filter (where l.variant_id is null)::integer as own_levels,
  count(l.id) filter (where l.variant_id is null and o.is_active)::integer as own_counted_levels,
  coalesce(sum(greatest(l.quantity - l.reserved, 0)) filter (where l.variant_id is null and o.is_active), 0)::bigint
    as own_available,
  max(case when l.is_from_feed then l.source_updated_at else 'infinity' end)
    filter (where l.variant_id is null and o.is_active) as own_fresh_at,
  count(l.id) filter (where v.is_active and v.deleted_at is null)::integer as variant_levels,
  count(l.id) filter (where v.is_active and v.deleted_at is null and o.is_active)::integer as variant_counted_levels,
  coalesce(
    sum(greatest(l.quantity - l.reserved, 0)) filter (where v.is_active and v.deleted_at is null and o.is_active), 0
  )::bigint as variant_available,
  max(case when l.is_from_feed then l.source_updated_at else 'infinity' end)
    filter (where v.is_active and v.deleted_at is null and o.is_active) as variant_fresh_at
from products p
left join stock_levels l on l.brand_id = p.brand_id and l.product_id = p.id
left join stock_locations o on o.brand_id = l.brand_id and o.id = l.location_id
left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
group by p.brand_id, p.id;

-- Sets the quantity of one place (a product's own stock or a variant's, at one location) and moves everything that
-- follows from it: the level, its ledger and the product's rollup. All of it is decided under the lock on the product's
-- row of product_stock, by what was committed until then; that is why it is a function, in which each statement sees
-- what was committed before it. outcome: 'set', or nothing was written because of 'variant_deleted',
-- 'version_conflict' (the level does not hold p_expected_quantity; one that does not exist holds 0) or 'stale' (the
-- level's source_updated_at is later than now). movement_id is null where the quantity stayed.
-- Where the level may not exist yet, the caller has locked the location for key share before: a change of the
-- location's is_active then either sees the level or is seen here.
create function adjust_stock_level(
  p_brand_id integer, p_product_id bigint, p_variant_id bigint, p_location_id bigint,
  p_quantity integer, p_expected_quantity integer, p_note text
)
returns table (
  outcome text, level_sku text, level_location text, quantity_before integer, level_reserved integer,
  written_at timestamptz, movement_id bigint
)
language plpgsql volatile as $$
declare
  place record;
  level record;
  level_id bigint;
  new_levels integer := 0;
  available_by integer := 0;
begin
  perform from product_stock s where s.brand_id = p_brand_id and s.product_id = p_product_id for update;

  -- "counts": whether the level is part of the product's availability.
  select coalesce(v.sku, p.sku) as sku, o.external_code, v.deleted_at is null as is_live,
    v.is_active as variant_is_active, o.is_active and coalesce(v.is_active, true) as counts
  into strict place
  from products p
  join stock_locations o on o.brand_id = p.brand_id and o.id = p_location_id
  left join variants v on v.brand_id = p.brand_id and v.id = p_variant_id
  where p.brand_id = p_brand_id and p.id = p_product_id;
  -- Two branches, each with its index condition: "is not distinct from" has none.
  select l.id, l.quantity, l.reserved, l.source_updated_at into level
  from stock_levels l
  where l.brand_id = p_brand_id and l.product_id = p_product_id and l.variant_id = p_variant_id
    and l.location_id = p_location_id
  union all
  select l.id, l.quantity, l.reserved, l.source_updated_at
  from stock_levels l
  where p_variant_id is null and l.brand_id = p_brand_id and l.product_id = p_product_id and l.variant_id is null
    and l.location_id = p_location_id;

  level_sku := place.sku;
  level_location := place.external_code;
  quantity_before := coalesce(level.quantity, 0);
  level_reserved := coalesce(level.reserved, 0);
  written_at := date_trunc('milliseconds', clock_timestamp());
  outcome := case
    when not place.is_live then 'variant_deleted'
    when quantity_before <> p_expected_quantity then 'version_conflict'
    when level.source_updated_at > written_at then 'stale'
    else 'set'
  end;
  if outcome <> 'set' then
    return next;
    return;
  end if;

  if level.id is null then
    insert into stock_levels (brand_id, product_id, variant_id, location_id, sku, location_code, quantity,
      source_updated_at, is_from_feed, updated_at)
    values (p_brand_id, p_product_id, p_variant_id, p_location_id, place.sku, place.external_code, p_quantity,
      written_at, false, written_at)
    returning id into level_id;
    new_levels := 1;
  else
    level_id := level.id;
    update stock_levels l
    set quantity = p_quantity, source_updated_at = written_at, is_from_feed = false, updated_at = written_at
    where l.brand_id = p_brand_id and l.id = level_id;
  end if;

  if quantity_before <> p_quantity then
    insert into stock_movements as m (brand_id, level_id, product_id, variant_id, sku, location_code, quantity_before,
      quantity_after, reason, note, created_at)
    values (p_brand_id, level_id, p_product_id, p_variant_id, place.sku, place.external_code, quantity_before,
      p_quantity, 'manual', p_note, written_at)
    returning m.id into movement_id;
  end if;

  -- The product's rollup moves by the difference, so that the cost does not grow with the levels of the product.
  if place.counts then
    available_by := greatest(p_quantity - level_reserved, 0) - greatest(quantity_before - level_reserved, 0);
  end if;
  if p_variant_id is null then
    update product_stock s
    set total_quantity = s.total_quantity + p_quantity - quantity_before,
      own_levels = s.own_levels + new_levels,
      own_counted_levels = s.own_counted_levels + case when place.counts then new_levels else 0 end,
      own_available = s.own_available + available_by,
      own_fresh_at = case when place.counts then 'infinity' else s.own_fresh_at end
    where s.brand_id = p_brand_id and s.product_id = p_product_id;
  else
    update product_stock s
    set total_quantity = s.total_quantity + p_quantity - quantity_before,
      variant_levels = s.variant_levels + case when place.variant_is_active then new_levels else 0 end,
      variant_counted_levels = s.variant_counted_levels + case when place.counts then new_levels else 0 end,
      variant_available = s.variant_available + available_by,
      variant_fresh_at = case when place.counts then 'infinity' else s.variant_fresh_at end
    where s.brand_id = p_brand_id and s.product_id = p_product_id;
  end if;
  return next;
end
$$;

-- The stock of one variant; read for the variants of one page or product at a time.
create view variant_stock as
select l.brand_id, l.product_id, l.variant_id,
  count(*)::integer as levels,
  count(*) filter (where o.is_active)::integer as counted_levels,
  coalesce(sum(greatest(l.quantity - l.reserved, 0)) filter (where o.is_active), 0)::bigint as available,
  max(case when l.is_from_feed then l.source_updated_at else 'infinity' end) filter (where o.is_active) as fresh_at
from stock_levels l
join stock_locations o on o.brand_id = l.brand_id and o.id = l.location_id
where l.variant_id is not null and not l.is_hidden
group by l.brand_id, l.product_id, l.variant_id;

-- What the variant rollup columns of products have to say; for the same two readers.
create view product_variant_truth as
select p.brand_id, p.id as product_id,
  count(v.id)::integer as live_variants,
  count(v.id) filter (where v.is_active)::integer as active_variants,
  count(v.id) filter (where v.is_active and v.price_value is null)::integer as inheriting_variants,
  min(v.price_value) filter (where v.is_active) as own_price_min,
  max(v.price_value) filter (where v.is_active) as own_price_max
from products p
left join variants v on v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
group by p.brand_id, p.id;

create table stock_feeds (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  tu_id text collate "C" not null,
  -- The Idempotency-Key of the submission.
  batch_id text collate "C" not null,
  -- Over what the lines say, to tell a replay with other lines.
  lines_sha256 bytea not null,
  source text not null,
  status text not null default 'queued',
  received_lines integer not null,
  -- Every line before this one is decided.
  next_line integer not null default 0,
  -- Result -> number of lines decided so far.
  totals jsonb not null default '{}',
  -- Why a feed failed.
  message text,
  -- Chunks that were rolled back in a row; the feed fails when there are too many.
  failed_attempts integer not null default 0,
  -- What a line without a timestamp of its own counts as being from.
  received_at timestamptz(3) not null,
  -- When a worker last committed something of it.
  worked_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (brand_id, id),
  constraint stock_feeds_tu_id_unique unique (brand_id, tu_id),
  constraint stock_feeds_batch_unique unique (brand_id, batch_id),
  constraint stock_feeds_status check (status in ('queued', 'processing', 'completed', 'failed')),
  constraint stock_feeds_ends check ((status in ('completed', 'failed')) = (finished_at is not null)),
  constraint stock_feeds_lines_range check (received_lines between 1 and 100000),
  constraint stock_feeds_next_line_range check (next_line between 0 and received_lines)
);

create index stock_feeds_unfinished on stock_feeds (brand_id, id) where finished_at is null;

create table stock_feed_lines (
  brand_id integer not null,
  feed_id bigint not null,
  -- 0-based place in the request.
  line integer not null,
  sku text collate "C" not null,
  location_code text collate "C" not null,
  quantity integer not null,
  reserved integer,
  updated_at timestamptz(3) not null,
  -- null: not decided yet.
  result text,
  primary key (brand_id, feed_id, line),
  constraint stock_feed_lines_of_feed foreign key (brand_id, feed_id) references stock_feeds (brand_id, id),
  constraint stock_feed_lines_result check (result in
    ('applied', 'unchanged', 'stale', 'unknown_sku', 'unknown_location', 'not_stockable', 'superseded'))
);
