import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { applyFeed } from '../../catalog/feeds/tests/feeds.ts';
import { adjusted, newLocation, newSimple } from '../../catalog/stock/tests/stock.ts';
import { newAxes, newParent, newVariant, ok } from '../../catalog/tests/new-axes.ts';
import { type DoctorAnalytics, examineBrandAnalytics } from '../analytics/examine-brand-analytics.ts';
import { checks } from '../checks.ts';
import type { Finding } from '../difference.ts';
import { examineBrand } from '../examine-brand.ts';
import { invariants } from '../invariants.ts';
import { references } from '../references.ts';

const apps = await createTestApps({ runsJobs: true });
const yesterday = yesterdayOf(apps.clock.now());

// Damage is done without foreign keys, as after a failed restore; their guarantees are invariants too.
const foreignKeys = await apps.sql<{ name: string; child: string }>(
  `select conname as name, conrelid::regclass::text as child from pg_constraint
   where contype = 'f' and connamespace = 'public'::regnamespace and confrelid <> 'brands'::regclass`,
);
for (const { name, child } of foreignKeys) await apps.sql(`alter table ${child} drop constraint ${name}`);

interface Damage {
  /** `$1` is the brand. */
  readonly sql: string;
  /** The fields that are reported. */
  readonly fields: readonly string[];
  /** Whether a repair corrects it. */
  readonly cured?: boolean;
  /** Other checks that also have to find it. */
  readonly also?: readonly string[];
}

const variantOf = (sku: string) => `(select id from variants where brand_id = $1 and sku = '${sku}')`;
const productOf = (sku: string) => `(select id from products where brand_id = $1 and sku = '${sku}')`;

/** At least one case for each registered invariant. */
const damages: Record<string, readonly Damage[]> = {
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
      sql: 'update brand_stock_versions set version = -1 where brand_id = $1',
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
    { sql: `update stock_feed_lines set line = 7 where brand_id = $1 and line = 1`, fields: ['lines'] },
  ],
  idempotency_records: [
    {
      sql: `update idempotency_records set created_at = now() + interval '9 days', fingerprint = 'x' where brand_id = $1 and idempotency_key = (select min(idempotency_key) from idempotency_records where brand_id = $1)`,
      fields: ['created_at', 'fingerprint'],
    },
  ],
  references: [
    {
      sql: `update points_of_sale set location_id = 999999 where brand_id = $1`,
      fields: ['points_of_sale_location'],
    },
    {
      sql: `delete from stock_levels where brand_id = $1 and sku = 'T'`,
      fields: ['stock_movements_level'],
      also: ['product_stock'],
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

/** Creates a brand with data of every kind. */
async function newFullBrand() {
  const brand = await newSeededBrand(apps);
  const { client } = brand;
  await newLocation(client, 'WH');
  await brand.put('pos', [{ tu_id: 'shop', location: 'WH' }]);
  await newSimple(client, 'U');
  for (const sku of ['S', 'T']) {
    const product = await newSimple(client, sku);
    await adjusted(client, product.tu_id, { location: 'WH', quantity: 5 });
    await adjusted(client, product.tu_id, { location: 'WH', quantity: 3 });
  }
  await newAxes(client, { size: ['s', 'm', 'l'] });
  const parent = await newParent(client, { size: ['s', 'm'] }, { sku: 'P' });
  const variant = await newVariant(client, parent.tu_id, {
    sku: 'P-s',
    axis_values: { size: 's' },
    is_active: true,
  });
  const gone = await newVariant(client, parent.tu_id, { sku: 'P-m', axis_values: { size: 'm' } });
  await adjusted(client, parent.tu_id, { variant: variant.tu_id, location: 'WH', quantity: 4 });
  await ok(client.delete(`/catalog/variants/${gone.tu_id}`), 204);
  const line = { location_code: 'WH', quantity: 4 };
  await applyFeed(client, [
    { ...line, sku: 'P-s' },
    { ...line, sku: 'NONE' },
  ]);
  await brand.send([{ day: yesterday }]);
  await brand.aggregate({ from: yesterday, to: yesterday });
  return brand;
}

const analytics: DoctorAnalytics = {
  store: apps.database,
  aggregate: async (brandId, { from, to }) => {
    const { status } = await apps.admin.post(`/brands/${brandId}/aggregations`, { from, to });
    assert.equal(status, 200);
  },
};

async function examine(brandId: number, repair: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  const options = { repair, report: (finding: Finding) => void findings.push(finding) };
  await examineBrand(apps.database, brandId, options);
  await examineBrandAnalytics(apps.database, analytics, brandId, options);
  return findings;
}

const names = (findings: readonly Finding[]) => [...new Set(findings.map(({ check }) => check))].sort();
/** Removes the part of a field that is specific to a row. */
const fieldsOf = (findings: readonly Finding[], check: string) =>
  [
    ...new Set(
      findings.filter((f) => f.check === check).map(({ field }) => field.replace(/^value .*/, 'value')),
    ),
  ].sort();

async function spoil(sql: string, brandId: number): Promise<void> {
  const rows = await apps.sql(`${sql} returning 1`, [brandId]);
  assert.ok(rows.length > 0, 'the damage hits no row');
}

describe('the registry of invariants', () => {
  it('has a check for each, and each check is registered', () => {
    const analyticsChecks = invariants.filter(({ id }) => /^(dataset|event)_/.test(id)).map(({ id }) => id);
    const all = [...new Set([...checks.map(({ name }) => name), ...analyticsChecks])].sort();
    assert.deepEqual(invariants.map(({ id }) => id).sort(), all);
  });

  // [internal-49]
  it('has a damage case for each, and no case for another', () => {
    assert.deepEqual(Object.keys(damages).sort(), invariants.map(({ id }) => id).sort());
    for (const { id, repair } of invariants)
      assert.ok(repair === null || damages[id]?.some(({ cured }) => cured), `${id}: no case is repaired`);
  });

  it('walks every foreign key within a brand', () => {
    assert.deepEqual(
      references.map(({ constraint }) => constraint).sort(),
      foreignKeys.map(({ name }) => name).sort(),
    );
  });
});

describe('the doctor finds in a brand that only its services wrote to', () => {
  it('nothing', async () => {
    const { brandId } = await newFullBrand();
    assert.deepEqual(await examine(brandId, false), []);
  });
});

for (const [id, cases] of Object.entries(damages))
  describe(`damage to ${id}`, () => {
    for (const { sql, fields, cured = false, also = [] } of cases)
      it(`is found${cured ? ' and repaired' : ', and nothing is repaired'}: ${sql.slice(0, 90)}`, async () => {
        const { brandId } = await newFullBrand();
        await spoil(sql, brandId);
        const found = await examine(brandId, false);
        assert.deepEqual(names(found), [id, ...also].sort());
        assert.deepEqual(fieldsOf(found, id), [...fields].sort());
        const repaired = await examine(brandId, true);
        assert.deepEqual(names(repaired), names(found));
        const left = await examine(brandId, false);
        if (cured) assert.deepEqual(left, []);
        else assert.deepEqual(names(left), names(found));
      });
  });
