const columns = `p.id, p.tu_id, p.brand_id, p.sku, p.type, p.title, p.short_description, p.default_language,
        p.versions, p.price_value, p.price_currency, p.tax_class, p.is_active, p.has_variants, p.active_variants,
        p.inheriting_variants, p.own_price_min, p.own_price_max, p.created_at, p.updated_at, s.total_quantity,
        s.total_reserved, s.own_levels, s.own_counted_levels, s.own_available, s.own_fresh_at, s.variant_levels,
        s.variant_counted_levels, s.variant_available, s.variant_fresh_at`;

/** A deep page of products by SKU: the ids come from the index of the order, then the rows with their stock. */
export function deferredJoin(brandId: number, size: number, offset: number) {
  return {
    name: 'bench_deferred_join',
    text: `select ${columns}
      from (
        select f.brand_id, f.id from products f where f.brand_id = $1
        order by f.sku, f.id limit $2 offset $3
      ) as page
      join products p on p.brand_id = page.brand_id and p.id = page.id
      join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
      order by p.sku, p.id`,
    values: [brandId, size, offset],
  };
}

/** The first 50 products by `updated_at` that match a condition. */
export function firstPage(brandId: number, condition: string) {
  return {
    name: `bench_first_page ${condition}`,
    text: `select ${columns}
      from (
        select f.brand_id, f.id from products f where f.brand_id = $1 ${condition}
        order by f.updated_at desc, f.id desc limit 50
      ) as page
      join products p on p.brand_id = page.brand_id and p.id = page.id
      join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
      order by p.updated_at desc, p.id desc`,
    values: [brandId],
  };
}
