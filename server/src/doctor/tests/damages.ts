export interface Damage {
  /** `$1` is the brand. */
  readonly sql: string;
  /** The fields that are reported. */
  readonly fields: readonly string[];
  /** True if a repair corrects it. */
  readonly cured?: boolean;
  /** Other checks that also have to find it. */
  readonly also?: readonly string[];
}

const variantOf = (sku: string) => `(select id from variants where brand_id = $1 and sku = '${sku}')`;
const productOf = (sku: string) => `(select id from products where brand_id = $1 and sku = '${sku}')`;

/** At least one case for each registered invariant. */
export const damages: Record<string, readonly Damage[]> = {
  sku_claims: [
    {
      sql: `update sku_claims set tu_id = 'x' where brand_id = $1 and sku = 'S'`,
      fields: ['tu_id'],
      cured: true,
    },
  ],
  variant_rollup: [
    {
      sql: `update products set live_variants = 9 where brand_id = $1 and sku = 'P'`,
      fields: ['live_variants'],
      cured: true,
    },
  ],
  product_counters: [
    {
      sql: 'update brand_catalogs set products_total = 9 where brand_id = $1',
      fields: ['products_total'],
      cured: true,
    },
  ],
  stock_level_copies: [
    {
      sql: `update stock_levels set sku = 'OLD' where brand_id = $1 and sku = 'S'`,
      fields: ['sku'],
      cured: true,
    },
  ],
  stock_level_times: [
    {
      sql: `update stock_levels set source_updated_at = '9999-12-31' where brand_id = $1 and sku = 'S'`,
      fields: ['source_updated_at'],
      cured: true,
    },
  ],
  stock_ledger: [
    {
      sql: `update stock_movements set quantity_before = 1 where brand_id = $1 and sku = 'S' and quantity_after = 3`,
      fields: ['sum_of_movements', 'chain_of_movements'],
    },
    {
      // The rollup is computed from the level, which may be the wrong side, so it is not repaired.
      sql: `update stock_levels set quantity = 50 where brand_id = $1 and sku = 'S'`,
      fields: ['sum_of_movements', 'last_movement'],
      also: ['product_stock'],
    },
    {
      sql: `update stock_movements set product_id = ${productOf('T')} where brand_id = $1 and sku = 'S' and quantity_after = 3`,
      fields: ['movements_of_others'],
    },
    {
      sql: `update stock_levels set product_id = ${productOf('U')} where brand_id = $1 and sku = 'S'`,
      fields: ['movements_of_others'],
      also: ['product_stock', 'stock_level_copies'],
    },
    {
      sql: `with gone as (delete from stock_movements where brand_id = $1 and sku = 'P-s')
        update stock_levels set product_id = ${productOf('T')}, quantity = 0 where brand_id = $1 and sku = 'P-s'`,
      fields: ['product_of_variant'],
      also: ['product_stock'],
    },
  ],
  product_stock: [
    {
      sql: `update product_stock set total_quantity = 99 where brand_id = $1 and product_id = ${productOf('S')}`,
      fields: ['total_quantity'],
      cured: true,
    },
  ],
  variant_values: [
    {
      sql: `update variants set combination = '9999999:8888888' where brand_id = $1 and sku = 'P-s'`,
      fields: ['values'],
    },
    {
      sql: `update variants set combination = 'nonsense' where brand_id = $1 and sku = 'P-s'`,
      fields: ['values'],
    },
    {
      sql: `delete from variant_axis_values where brand_id = $1 and variant_id = ${variantOf('P-s')}`,
      fields: ['values'],
      cured: true,
    },
    {
      sql: `update variant_axis_values set value_id = (select id from axis_values where brand_id = $1 and value = 'l')
        where brand_id = $1 and variant_id = ${variantOf('P-s')}`,
      fields: ['values'],
      cured: true,
    },
  ],
  axis_selections: [
    {
      sql: `delete from product_axis_values where brand_id = $1
        and value_id = (select id from axis_values where brand_id = $1 and value = 's')`,
      fields: ['value'],
      cured: true,
    },
  ],
  feed_totals: [
    { sql: 'update stock_feeds set next_line = 1 where brand_id = $1', fields: ['next_line'], cured: true },
    {
      sql: `update stock_feed_packs set skus = skus[2:], location_codes = location_codes[2:], quantities = quantities[2:],
        reserved = reserved[2:], updated_ats = updated_ats[2:], updated_micros = updated_micros[2:],
        results = substr(results, 2) where brand_id = $1`,
      fields: ['received_lines', 'totals.unchanged'],
    },
    {
      sql: `update stock_feeds set totals = '{"applied": 7}' where brand_id = $1`,
      fields: ['totals.applied', 'totals.unchanged', 'totals.unknown_sku'],
      cured: true,
    },
  ],
  dataset_daily: [
    {
      sql: 'update analytics.daily set views = views + 1 where brand_id = $1',
      fields: ['views'],
      cured: true,
    },
  ],
  dataset_contents: [
    {
      sql: 'update analytics.contents set cumulative_views = 9 where brand_id = $1',
      fields: ['cumulative_views'],
      cured: true,
    },
  ],
  dataset_users: [
    {
      sql: 'update analytics.users set xp_earned = 9 where brand_id = $1',
      fields: ['xp_earned'],
      cured: true,
    },
  ],
  dataset_content_engagement: [
    {
      sql: 'update analytics.content_engagement set questions = 9 where brand_id = $1',
      fields: ['questions'],
      cured: true,
    },
  ],
  dataset_day_records: [
    {
      sql: `update analytics.brand_days set row_counts = row_counts || '{"contents": 5}' where brand_id = $1`,
      fields: ['rows.contents'],
      cured: true,
    },
    {
      sql: `delete from analytics.dataset_revisions where brand_id = $1 and dataset = 'users'`,
      fields: ['revision.users'],
      cured: true,
    },
  ],
  event_claims: [
    { sql: 'delete from analytics.event_claims where brand_id = $1', fields: ['claims'] },
    {
      sql: `insert into analytics.event_claims (brand_id, event_id, day) select $1, 'ghost', day from analytics.brand_days where brand_id = $1`,
      fields: ['claims'],
    },
  ],
};
