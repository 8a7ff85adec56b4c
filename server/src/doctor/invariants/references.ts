import type { Find, MainInvariant } from './invariant.ts';
import { type Scan, scan } from './scan.ts';

/** A foreign key within a brand, and the scan of its table. */
interface Reference {
  readonly constraint: string;
  readonly scan: Scan;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

/** All foreign keys between tables of a brand; a test compares this list with the schema. */
export const foreignKeys: readonly Reference[] = [
  ref('products_sku_claimed', scan('products'), ['sku'], to('sku_claims', ['sku'])),
  ref('axis_values_of_axis', scan('axis_values'), ['axis_id'], to('axes')),
  ref('product_axes_of_product', scan('product_axes', 'product_id'), ['product_id'], to('products')),
  ref('product_axes_axis', scan('product_axes', 'product_id'), ['axis_id'], to('axes')),
  ref(
    'product_axis_values_of_axis',
    scan('product_axis_values', 'product_id'),
    ['product_id', 'axis_id'],
    to('product_axes', ['product_id', 'axis_id']),
  ),
  ref(
    'product_axis_values_value',
    scan('product_axis_values', 'product_id'),
    ['axis_id', 'value_id'],
    to('axis_values', ['axis_id', 'id']),
  ),
  ref('variants_sku_claimed', scan('variants'), ['sku'], to('sku_claims', ['sku'])),
  ref('variants_of_product', scan('variants'), ['product_id'], to('products')),
  ref(
    'variant_axis_values_of_variant',
    scan('variant_axis_values', 'variant_id'),
    ['variant_id'],
    to('variants'),
  ),
  ref(
    'variant_axis_values_value',
    scan('variant_axis_values', 'variant_id'),
    ['axis_id', 'value_id'],
    to('axis_values', ['axis_id', 'id']),
  ),
  ref('stock_levels_of_product', scan('stock_levels'), ['product_id'], to('products')),
  ref('stock_levels_of_variant', scan('stock_levels'), ['variant_id'], to('variants')),
  ref('stock_levels_location', scan('stock_levels'), ['location_id'], to('stock_locations')),
  ref('stock_movements_level', scan('stock_movements'), ['level_id'], to('stock_levels')),
  ref('product_stock_of_product', scan('product_stock', 'product_id'), ['product_id'], to('products')),
  ref('stock_feed_packs_of_feed', scan('stock_feed_packs', 'feed_id'), ['feed_id'], to('stock_feeds')),
  ref('points_of_sale_location', scan('points_of_sale'), ['location_id'], to('stock_locations')),
  ref('learners_market', scan('learners'), ['market_id'], to('markets')),
];

function ref(
  constraint: string,
  of: Scan,
  columns: readonly string[],
  parent: Pick<Reference, 'parent' | 'parentColumns'>,
): Reference {
  return { constraint, scan: of, columns, ...parent };
}

function to(parent: string, parentColumns: readonly string[] = ['id']) {
  return { parent, parentColumns };
}

function findBroken({ constraint, scan: of, columns, parent, parentColumns }: Reference): Find {
  const { table, key } = of;
  const type = key === 'sku' ? 'text' : 'bigint';
  const same = columns.map((column, place) => `p.${parentColumns[place]} = c.${column}`).join(' and ');
  return {
    scan: of,
    sql: `select c.${key}::text as key, '${table} ' || c.${key} as id, '${constraint}' as field,
        concat_ws(':', ${columns.map((column) => `c.${column}`).join(', ')}) as stored, null as actual, false as is_repairable
      from ${table} c
      where c.brand_id = $1 and c.${key} > $2::${type} and c.${key} <= $3::${type}
        and ${columns.map((column) => `c.${column} is not null`).join(' and ')}
        and not exists (select from ${parent} p where p.brand_id = c.brand_id and ${same} offset 0)
      order by c.${key}`,
  };
}

/** Constraints enforce the references unless they were disabled. */
export const references: MainInvariant = {
  id: 'references',
  tables: ['all tables of a brand'],
  holds: 'Every foreign key within a brand finds its row.',
  finds: foreignKeys.map(findBroken),
  repair: null,
};
