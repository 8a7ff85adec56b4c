import type { Check } from './check.ts';
import type { Scan } from './queries/find-batch-end.ts';
import { findBrokenReferences, type Reference } from './queries/find-reference-differences.ts';

const scan = (table: Scan['table'], key: Scan['key'] = 'id', batchSize = 10_000): Scan => ({
  table,
  key,
  first: key === 'sku' ? '' : '0',
  batchSize,
});

/** All foreign keys between tables of a brand; a test compares this list with the schema. */
export const references: readonly Reference[] = [
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

/** One check, in one scan per foreign key. */
export const referenceChecks: readonly Check[] = references.map((reference) => ({
  name: 'references',
  scan: reference.scan,
  find: findBrokenReferences(reference),
}));
