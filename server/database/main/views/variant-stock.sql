-- The stock of one variant; read for the variants of one page or one product at a time.
create or replace view variant_stock as
select l.brand_id, l.product_id, l.variant_id,
  count(*)::integer as levels,
  count(*) filter (where o.is_active)::integer as counted_levels,
  coalesce(sum(greatest(l.quantity - l.reserved, 0)) filter (where o.is_active), 0)::bigint as available,
  max(case when l.is_from_feed then l.source_updated_at else 'infinity' end) filter (where o.is_active) as fresh_at
from stock_levels l
join stock_locations o on o.brand_id = l.brand_id and o.id = l.location_id
where l.variant_id is not null and not l.is_hidden
group by l.brand_id, l.product_id, l.variant_id;
