-- Defines the rollup of variants in products. The refresh after a change and the doctor read it.
create or replace view product_variant_truth as
select p.brand_id, p.id as product_id,
  count(v.id)::integer as live_variants,
  count(v.id) filter (where v.is_active)::integer as active_variants,
  count(v.id) filter (where v.is_active and v.price_value is null)::integer as inheriting_variants,
  min(v.price_value) filter (where v.is_active) as own_price_min,
  max(v.price_value) filter (where v.is_active) as own_price_max
from products p
left join variants v on v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
group by p.brand_id, p.id;
