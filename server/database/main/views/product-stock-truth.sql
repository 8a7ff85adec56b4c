-- Defines the rollup in product_stock [D20]: computed from the levels of a product and its live variants. The refresh after a
-- change and the doctor read it.
create or replace view product_stock_truth as
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
