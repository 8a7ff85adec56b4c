-- A routine because each statement in it sees what was committed before it: the decision is read under the lock on the
-- product's row of product_stock.
--
-- Sets the quantity of one place (a product's own stock, p_variant_tu_id null, or a variant's, at one location) and updates
-- what depends on it: the level, its ledger, the product's rollup and the brand's stock version.
-- outcome: 'set', or nothing was written because of 'no_product', 'no_place' (the other columns say what is wrong with
-- variant or location), 'version_conflict' (the level does not hold p_expected_quantity; a missing one holds 0) or 'stale' (the
-- level's source_updated_at is later than now). movement_id is null if the quantity did not change.
-- A product without its row of product_stock, which only damage causes, gets one from its levels. After the clock stepped back
-- an adjustment is not dated before the one that it replaces.
-- Lock order: location (only to create a level: a change of its is_active then either sees the level or is seen here),
-- product_stock, level, version.
create or replace function adjust_stock(
  p_brand_id integer, p_product_tu_id text, p_variant_tu_id text, p_location_code text,
  p_quantity integer, p_expected_quantity integer, p_note text
)
returns table (
  outcome text, product_has_variants boolean, variant_found boolean, location_found boolean,
  level_sku text, quantity_before integer, level_reserved integer, written_at timestamptz, movement_id bigint
)
language plpgsql volatile as $$
declare
  place record;
  level record;
  new_levels integer := 0;
  available_by integer := 0;
begin
  -- The parts of the place that never change: ids stay, and levels are never deleted. Two statements, because the level
  -- of "no variant" and that of a variant are found by different conditions of one index.
  if p_variant_tu_id is null then
    select p.id as product_id, p.has_variants, null::bigint as variant_id, o.id as location_id, l.id as level_id
    into place
    from products p
    left join stock_locations o on o.brand_id = p.brand_id and o.external_code = p_location_code
    left join stock_levels l on l.brand_id = p.brand_id and l.product_id = p.id and l.variant_id is null
      and l.location_id = o.id
    where p.brand_id = p_brand_id and p.tu_id = p_product_tu_id;
  else
    select p.id as product_id, p.has_variants, v.id as variant_id, o.id as location_id, l.id as level_id
    into place
    from products p
    left join variants v on v.brand_id = p.brand_id and v.tu_id = p_variant_tu_id and v.product_id = p.id
      and v.deleted_at is null
    left join stock_locations o on o.brand_id = p.brand_id and o.external_code = p_location_code
    left join stock_levels l on l.brand_id = p.brand_id and l.product_id = p.id and l.variant_id = v.id
      and l.location_id = o.id
    where p.brand_id = p_brand_id and p.tu_id = p_product_tu_id;
  end if;
  if place.product_id is null then
    outcome := 'no_product';
    return next;
    return;
  end if;
  product_has_variants := place.has_variants;
  variant_found := place.variant_id is not null;
  location_found := place.location_id is not null;
  if not location_found or product_has_variants <> (p_variant_tu_id is not null)
    or variant_found <> (p_variant_tu_id is not null)
  then
    outcome := 'no_place';
    return next;
    return;
  end if;

  if place.level_id is null then
    perform from stock_locations o where o.brand_id = p_brand_id and o.id = place.location_id for key share;
  end if;
  perform from product_stock s
  where s.brand_id = p_brand_id and s.product_id = place.product_id
  for update;
  if not found then
    -- Without the row there is no lock. The transaction that creates it holds it to the commit, and others wait here.
    insert into product_stock (brand_id, product_id) values (p_brand_id, place.product_id)
    on conflict (brand_id, product_id) do nothing;
    perform from product_stock s
    where s.brand_id = p_brand_id and s.product_id = place.product_id
    for update;
    update product_stock s
    set total_quantity = t.total_quantity, total_reserved = t.total_reserved,
      own_levels = t.own_levels, own_counted_levels = t.own_counted_levels,
      own_available = t.own_available, own_fresh_at = t.own_fresh_at,
      variant_levels = t.variant_levels, variant_counted_levels = t.variant_counted_levels,
      variant_available = t.variant_available, variant_fresh_at = t.variant_fresh_at
    from product_stock_truth t
    where t.brand_id = p_brand_id and t.product_id = place.product_id
      and s.brand_id = p_brand_id and s.product_id = place.product_id;
  end if;

  -- "counts": whether the level is part of the product's availability. A level's sku follows every rename, under the lock.
  if place.level_id is not null then
    select l.id, l.quantity, l.reserved, l.source_updated_at, l.is_from_feed, l.sku, v.deleted_at is null as is_live,
      v.is_active as variant_is_active, o.is_active and coalesce(v.is_active, true) as counts
    into strict level
    from stock_levels l
    join stock_locations o on o.brand_id = l.brand_id and o.id = l.location_id
    left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
    where l.brand_id = p_brand_id and l.id = place.level_id;
  else
    -- Another transaction may have created the level before this one got the lock.
    select l.id, l.quantity, l.reserved, l.source_updated_at, l.is_from_feed, coalesce(v.sku, p.sku) as sku,
      v.deleted_at is null as is_live, v.is_active as variant_is_active,
      o.is_active and coalesce(v.is_active, true) as counts
    into strict level
    from products p
    join stock_locations o on o.brand_id = p.brand_id and o.id = place.location_id
    left join variants v on v.brand_id = p.brand_id and v.id = place.variant_id
    left join stock_levels l on l.brand_id = p.brand_id and l.product_id = p.id
      and l.variant_id is not distinct from place.variant_id and l.location_id = o.id
    where p.brand_id = p_brand_id and p.id = place.product_id;
  end if;

  level_sku := level.sku;
  quantity_before := coalesce(level.quantity, 0);
  level_reserved := coalesce(level.reserved, 0);
  written_at := now_ms();
  -- A level that was last adjusted by hand cannot be dated ahead: this server's clock was set back.
  if not level.is_from_feed then
    written_at := greatest(written_at, level.source_updated_at);
  end if;
  outcome := case
    when not level.is_live then 'no_place'
    when quantity_before <> p_expected_quantity then 'version_conflict'
    when level.source_updated_at > written_at then 'stale'
    else 'set'
  end;
  if outcome <> 'set' then
    variant_found := level.is_live;
    return next;
    return;
  end if;

  if level.id is null then
    insert into stock_levels (brand_id, product_id, variant_id, location_id, sku, location_code, quantity,
      source_updated_at, is_from_feed, updated_at)
    values (p_brand_id, place.product_id, place.variant_id, place.location_id, level.sku, p_location_code, p_quantity,
      written_at, false, written_at)
    returning id into level.id;
    new_levels := 1;
  else
    update stock_levels l
    set quantity = p_quantity, source_updated_at = written_at, is_from_feed = false, updated_at = written_at
    where l.brand_id = p_brand_id and l.id = level.id;
  end if;

  if quantity_before <> p_quantity then
    insert into stock_movements as m (brand_id, level_id, product_id, variant_id, sku, location_code, quantity_before,
      quantity_after, reason, note, created_at)
    values (p_brand_id, level.id, place.product_id, place.variant_id, level.sku, p_location_code, quantity_before,
      p_quantity, 'manual', p_note, written_at)
    returning m.id into movement_id;
  end if;

  -- Only the difference is added to the product's rollup, so that the cost does not grow with the levels of the
  -- product.
  if level.counts then
    available_by := greatest(p_quantity - level_reserved, 0) - greatest(quantity_before - level_reserved, 0);
  end if;
  if place.variant_id is null then
    update product_stock s
    set total_quantity = s.total_quantity + p_quantity - quantity_before,
      own_levels = s.own_levels + new_levels,
      own_counted_levels = s.own_counted_levels + case when level.counts then new_levels else 0 end,
      own_available = s.own_available + available_by,
      own_fresh_at = case when level.counts then 'infinity' else s.own_fresh_at end
    where s.brand_id = p_brand_id and s.product_id = place.product_id;
  else
    update product_stock s
    set total_quantity = s.total_quantity + p_quantity - quantity_before,
      variant_levels = s.variant_levels + case when level.variant_is_active then new_levels else 0 end,
      variant_counted_levels = s.variant_counted_levels + case when level.counts then new_levels else 0 end,
      variant_available = s.variant_available + available_by,
      variant_fresh_at = case when level.counts then 'infinity' else s.variant_fresh_at end
    where s.brand_id = p_brand_id and s.product_id = place.product_id;
  end if;

  -- The row exists from the second time on, and an update costs half of an insert that finds an existing row.
  update brand_stock_versions v set version = v.version + 1
  where v.brand_id = p_brand_id and v.slot = pg_backend_pid() % 32;
  if not found then
    insert into brand_stock_versions as v (brand_id, slot, version)
    values (p_brand_id, pg_backend_pid() % 32, 1)
    on conflict (brand_id, slot) do update set version = v.version + 1;
  end if;
  return next;
end
$$;
