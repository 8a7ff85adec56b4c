-- A routine because processes of the version before call it by this name. Delete it in the next version.
--
-- Decides nothing: stock has one rule, the kernel's [D90]. Raises what PostgreSQL raises while it starts, so those processes
-- answer 503 with Retry-After, and the retry succeeds on a process of this version.
create or replace function adjust_stock(
  p_brand_id integer, p_product_tu_id text, p_variant_tu_id text, p_location_code text,
  p_quantity integer, p_expected_quantity integer, p_note text
)
returns table (
  outcome text, product_has_variants boolean, variant_found boolean, location_found boolean,
  level_sku text, quantity_before integer, level_reserved integer, written_at timestamptz, movement_id bigint
)
language plpgsql volatile as $$
begin
  raise exception 'a newer version of Brandport adjusts stock on this database' using errcode = '57P03';
end
$$;
