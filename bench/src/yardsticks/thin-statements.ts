/**
 * The statements of the thin server: the fastest way to get this response from this schema for one brand. PostgreSQL
 * creates the JSON, which is sent unchanged.
 */
const item = (extra = '') => `json_build_object(
  'id', p.id, 'tu_id', p.tu_id, 'brand_id', p.brand_id, 'sku', p.sku, 'type', p.type, 'title', p.title,
  'short_description', p.short_description, 'default_language', p.default_language, 'versions', p.versions,
  'price_value', trim_scale(p.price_value), 'price_currency', p.price_currency, 'tax_class', p.tax_class,
  'is_active', p.is_active, 'profile', null, 'has_variants', p.has_variants,
  'price_range', case when p.active_variants > 0 then json_build_object(
    'min', trim_scale(least(p.own_price_min, case when p.inheriting_variants > 0 then p.price_value end)),
    'max', trim_scale(greatest(p.own_price_max, case when p.inheriting_variants > 0 then p.price_value end)),
    'currency', p.price_currency) end,
  'availability', json_build_object('status',
    case when p.has_variants then
      case when s.variant_levels = 0 then null when s.variant_available = 0 then 'out_of_stock'
        when s.variant_available <= 5 then 'low_stock' else 'in_stock' end
    else
      case when s.own_levels = 0 then null when s.own_available = 0 then 'out_of_stock'
        when s.own_available <= 5 then 'low_stock' else 'in_stock' end
    end),
  'stock_summary', json_build_object('total_quantity', s.total_quantity, 'total_reserved', s.total_reserved),
  'created_at', p.created_at, 'updated_at', p.updated_at${extra})`;

const axes = `, 'axes', (
  select coalesce(json_agg(json_build_object('code', a.code, 'label', a.label, 'position', pa.position, 'values', (
      select json_agg(json_build_object('value', v.value, 'label', v.label, 'position', v.position) order by v.position)
      from product_axis_values s
      join axis_values v on v.brand_id = s.brand_id and v.axis_id = s.axis_id and v.id = s.value_id
      where s.brand_id = pa.brand_id and s.product_id = pa.product_id and s.axis_id = pa.axis_id
    )) order by pa.position), '[]')
  from product_axes pa join axes a on a.brand_id = pa.brand_id and a.id = pa.axis_id
  where pa.brand_id = p.brand_id and pa.product_id = p.id)`;

const variants = `, 'variants', (
  select coalesce(json_agg(json_build_object('tu_id', v.tu_id, 'sku', v.sku, 'barcode', v.barcode,
      'axis_values', (
        select json_object_agg(a.code, w.value)
        from variant_axis_values x
        join axes a on a.brand_id = x.brand_id and a.id = x.axis_id
        join axis_values w on w.brand_id = x.brand_id and w.axis_id = x.axis_id and w.id = x.value_id
        where x.brand_id = v.brand_id and x.variant_id = v.id),
      'price', json_build_object('value', trim_scale(coalesce(v.price_value, p.price_value)),
        'currency', p.price_currency, 'inherited', v.price_value is null),
      'position', v.position, 'is_active', v.is_active,
      'availability', (
        select json_build_object('status', case when count(*) = 0 then null
            when sum(l.quantity - l.reserved) <= 0 then 'out_of_stock'
            when sum(l.quantity - l.reserved) <= 5 then 'low_stock' else 'in_stock' end,
          'quantity', coalesce(sum(greatest(l.quantity - l.reserved, 0)), 0))
        from stock_levels l
        where l.brand_id = v.brand_id and l.product_id = v.product_id and l.variant_id = v.id)
    ) order by v.position, v.id), '[]')
  from variants v where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null)`;

const stock = 'join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id';

/** $1 brand, $2 tu_id -> one row with one string. */
export const thinDetail = `select ${item(axes + variants)}::text as body
  from products p ${stock} where p.brand_id = $1 and p.tu_id = $2`;

/**
 * $1 brand -> one row with one string. The limit is a literal, as in the product: with a bound limit PostgreSQL replans
 * every execution.
 */
export const thinList = (size: number) => `select json_build_object('data', (
    select coalesce(json_agg(${item()} order by p.updated_at desc, p.id desc), '[]')
    from (select f.brand_id, f.id from products f where f.brand_id = $1
      order by f.updated_at desc, f.id desc limit ${size}) as page
    join products p on p.brand_id = page.brand_id and p.id = page.id ${stock}
  ), 'meta', json_build_object('total', (select products_total from brand_catalogs where brand_id = $1)))::text as body`;
