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
  ],
  product_stock: [
    {
      sql: `update product_stock set total_quantity = 99 where brand_id = $1 and product_id = ${productOf('S')}`,
      fields: ['total_quantity'],
      cured: true,
    },
  ],
  movement_owners: [
    {
      sql: `update stock_movements set product_id = ${productOf('T')} where brand_id = $1 and sku = 'S' and quantity_after = 3`,
      fields: ['product_id'],
    },
    {
      sql: `update stock_levels set product_id = ${productOf('U')} where brand_id = $1 and sku = 'S'`,
      fields: ['product_id'],
      also: ['product_stock', 'stock_level_copies'],
    },
  ],
  level_owners: [
    {
      sql: `with gone as (delete from stock_movements where brand_id = $1 and sku = 'P-s')
        update stock_levels set product_id = ${productOf('T')}, quantity = 0 where brand_id = $1 and sku = 'P-s'`,
      fields: ['product_id'],
      also: ['product_stock'],
    },
  ],
  variant_combinations: [
    {
      sql: `update variants set combination = '9999999:8888888' where brand_id = $1 and sku = 'P-s'`,
      fields: ['combination'],
      also: ['variant_values'],
    },
    {
      sql: `update variants set combination = 'nonsense' where brand_id = $1 and sku = 'P-s'`,
      fields: ['combination'],
      also: ['variant_values'],
    },
  ],
  variant_values: [
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
  catalog_stamp: [
    {
      sql: `update brand_catalogs set changed_at = changed_at - interval '1 hour' where brand_id = $1`,
      fields: ['changed_at'],
      cured: true,
    },
  ],
  stock_versions: [
    {
      sql: 'update brand_stocks set version = 0 where brand_id = $1',
      fields: ['version'],
      cured: true,
    },
  ],
  feed_totals: [
    {
      sql: `update stock_feeds set totals = '{"applied": 7}' where brand_id = $1`,
      fields: ['totals.applied', 'totals.unchanged', 'totals.unknown_sku'],
      cured: true,
    },
  ],
  feed_progress: [
    { sql: 'update stock_feeds set next_line = 1 where brand_id = $1', fields: ['next_line'], cured: true },
  ],
  feed_numbering: [
    { sql: `update stock_feeds set report_order = '{1,1}' where brand_id = $1`, fields: ['report_order'] },
    {
      sql: 'update stock_feed_packs set skus[1] = null where brand_id = $1',
      fields: ['lines'],
      also: ['feed_totals'],
    },
  ],
  idempotency_records: [
    {
      sql: `update idempotency_records set created_at = now() + interval '9 days', fingerprint = 'x' where brand_id = $1 and idempotency_key = (select min(idempotency_key) from idempotency_records where brand_id = $1)`,
      fields: ['created_at', 'fingerprint'],
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
  ],
  dataset_revisions: [
    {
      sql: `delete from analytics.dataset_revisions where brand_id = $1 and dataset = 'users'`,
      fields: ['revision'],
      cured: true,
    },
  ],
  event_days: [
    {
      sql: `update analytics.learning_events set occurred_at = occurred_at + interval '3 days' where brand_id = $1`,
      fields: ['day'],
    },
  ],
  event_claims: [
    { sql: 'delete from analytics.event_claims where brand_id = $1', fields: ['claimed_day'] },
    {
      sql: `insert into analytics.event_claims (brand_id, event_id, day) select $1, 'ghost', day from analytics.brand_days where brand_id = $1`,
      fields: ['event'],
    },
  ],
};
