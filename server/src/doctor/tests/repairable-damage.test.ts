// processes, alone: damages everything that the doctor repairs
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { examine, told } from './examine.ts';
import { newShop, type Shop, type Spoiling } from './shop.ts';

const apps = await createTestApps({ runsJobs: true });
const { sql } = apps;

let repairedShop: Shop | null = null;

/**
 * Returns the shop that the last test repaired completely, or a new one. Every examination covers all brands, so a shop
 * for each damage would make each test slower than the one before.
 */
async function borrowShop(): Promise<Shop> {
  const shop = repairedShop ?? (await newShop(apps, 'repairable'));
  repairedShop = null;
  return shop;
}

const repairable: Spoiling[] = [
  {
    what: 'the number of live variants of a product',
    spoil: `update products set live_variants = 3 where brand_id = $1 and has_variants`,
    found: ({ parent }) => [`variant_rollup ${parent} live_variants: 3 > 2`],
  },
  {
    what: 'has_variants of a parent',
    spoil: `update products set has_variants = false, live_variants = 0, active_variants = 0, inheriting_variants = 0
      where brand_id = $1 and has_variants`,
    found: ({ parent }) => [
      `variant_rollup ${parent} live_variants: 0 > 2`,
      `variant_rollup ${parent} active_variants: 0 > 2`,
      `variant_rollup ${parent} inheriting_variants: 0 > 1`,
    ],
  },
  {
    what: 'the price range of a parent',
    spoil: `update products set own_price_min = 1, own_price_max = null where brand_id = $1 and has_variants`,
    found: ({ parent }) => [
      `variant_rollup ${parent} own_price_min: 1.0000 > 12.5000`,
      `variant_rollup ${parent} own_price_max: null > 12.5000`,
    ],
  },
  {
    what: 'the number of active and inheriting variants',
    spoil: `update products set active_variants = 1, inheriting_variants = 0 where brand_id = $1 and has_variants`,
    found: ({ parent }) => [
      `variant_rollup ${parent} active_variants: 1 > 2`,
      `variant_rollup ${parent} inheriting_variants: 0 > 1`,
    ],
  },
  {
    what: 'every counter of the brand',
    spoil: `update brand_catalogs set products_total = 9, products_active = 8, products_with_variants = 7,
      products_active_with_variants = 6 where brand_id = $1`,
    found: ({ name }) => [
      `product_counters ${name} products_total: 9 > 2`,
      `product_counters ${name} products_active: 8 > 1`,
      `product_counters ${name} products_with_variants: 7 > 1`,
      `product_counters ${name} products_active_with_variants: 6 > 0`,
    ],
  },
  {
    what: 'the counters of a brand by losing them',
    spoil: 'delete from brand_catalogs where brand_id = $1',
    found: ({ name }) => [
      `product_counters ${name} products_total: 0 > 2`,
      `product_counters ${name} products_active: 0 > 1`,
      `product_counters ${name} products_with_variants: 0 > 1`,
    ],
  },
  {
    what: 'the stock of a simple product',
    spoil: `update product_stock s set total_quantity = 1, own_available = 2, own_levels = 3, own_counted_levels = 4,
        own_fresh_at = '2026-01-01T00:00:00Z'
      from products p where p.brand_id = $1 and s.brand_id = $1 and p.id = s.product_id and not p.has_variants`,
    found: ({ simple }) => [
      `product_stock ${simple} total_quantity: 1 > 12`,
      `product_stock ${simple} own_levels: 3 > 2`,
      `product_stock ${simple} own_counted_levels: 4 > 1`,
      `product_stock ${simple} own_available: 2 > 3`,
      `product_stock ${simple} own_fresh_at: 2026-01-01 00:00:00+00 > infinity`,
    ],
  },
  {
    what: 'the stock of a parent',
    spoil: `update product_stock s set total_reserved = 0, variant_available = 0, variant_levels = 1,
        variant_counted_levels = 1, variant_fresh_at = null
      from products p where p.brand_id = $1 and s.brand_id = $1 and p.id = s.product_id and p.has_variants`,
    found: ({ parent }) => [
      `product_stock ${parent} total_reserved: 0 > 2`,
      `product_stock ${parent} variant_levels: 1 > 2`,
      `product_stock ${parent} variant_counted_levels: 1 > 2`,
      `product_stock ${parent} variant_available: 0 > 9`,
      `product_stock ${parent} variant_fresh_at: null > infinity`,
    ],
  },
  {
    what: 'the stock of a product by losing it',
    spoil: `delete from product_stock s using products p
      where p.brand_id = $1 and s.brand_id = $1 and p.id = s.product_id and p.has_variants`,
    found: ({ parent }) => [
      `product_stock ${parent} total_quantity: null > 11`,
      `product_stock ${parent} total_reserved: null > 2`,
      `product_stock ${parent} own_levels: null > 0`,
      `product_stock ${parent} own_counted_levels: null > 0`,
      `product_stock ${parent} own_available: null > 0`,
      `product_stock ${parent} variant_levels: null > 2`,
      `product_stock ${parent} variant_counted_levels: null > 2`,
      `product_stock ${parent} variant_available: null > 9`,
      `product_stock ${parent} variant_fresh_at: null > infinity`,
    ],
  },
  {
    what: 'the owner of a SKU',
    spoil: `update sku_claims set tu_id = 'somebody-else' where brand_id = $1 and kind = 'product' and sku like '%-S'`,
    found: ({ name, simple }) => [`sku_claims ${name}-S tu_id: somebody-else > ${simple}`],
  },
  {
    what: 'the kind of the owner of a SKU',
    spoil: `update sku_claims set kind = 'product' where brand_id = $1 and kind = 'variant' and sku like '%-s'`,
    found: ({ name }) => [`sku_claims ${name}-s kind: product > variant`],
  },
  {
    what: 'a claim that nobody stands behind',
    spoil: `insert into sku_claims (brand_id, sku, kind, tu_id) values ($1, 'GHOST', 'variant', 'nobody')`,
    found: () => ['sku_claims GHOST kind: variant > null', 'sku_claims GHOST tu_id: nobody > null'],
  },
  {
    what: 'the copy of a SKU in a level',
    spoil: `update stock_levels set sku = 'OLD' where brand_id = $1 and sku like '%-s'`,
    found: ({ name }) => [`stock_level_copies ${name}-s @ WH sku: OLD > ${name}-s`],
  },
  {
    what: 'the copy of a location’s code in a level',
    spoil: `update stock_levels set location_code = 'OLD' where brand_id = $1 and location_code = 'CLOSED'`,
    found: ({ name }) => [`stock_level_copies ${name}-S @ CLOSED location_code: OLD > CLOSED`],
  },
  {
    what: 'is_hidden of the level of a deleted variant',
    spoil: `update stock_levels set is_hidden = false where brand_id = $1 and is_hidden`,
    found: ({ name }) => [`stock_level_copies ${name}-l @ __default__ is_hidden: false > true`],
  },
  {
    what: 'is_hidden of the level of a live variant',
    spoil: `update stock_levels set is_hidden = true where brand_id = $1 and sku like '%-m'`,
    found: ({ name }) => [`stock_level_copies ${name}-m @ __default__ is_hidden: true > false`],
  },
  {
    what: 'a level that a feed had dated far ahead',
    spoil: `update stock_levels set source_updated_at = '9999-12-31' where brand_id = $1 and sku like '%-s'`,
    found: ({ name }) => [
      `stock_level_times ${name}-s @ WH source_updated_at: 9999-12-31 00:00:00+00 > at most 24 hours ahead`,
    ],
  },
  {
    what: 'the totals of a feed',
    spoil: `update stock_feeds set totals = '{"applied": 1, "stale": 2}' where brand_id = $1`,
    found: ({ feed }) => [
      `feed_totals ${feed} totals.applied: 1 > 2`,
      `feed_totals ${feed} totals.stale: 2 > 0`,
      `feed_totals ${feed} totals.unknown_sku: 0 > 1`,
    ],
  },
];

for (const { what, spoil, found } of repairable)
  it(`the doctor finds exactly the damage and repairs it: ${what}`, async () => {
    const shop = await borrowShop();
    await sql(spoil, [shop.brandId]);
    const findings = await examine(apps, false);
    assert.deepEqual(findings.map(told), found(shop));
    for (const finding of findings)
      assert.deepEqual([finding.brandId, finding.outcome], [shop.brandId, 'repairable']);
    assert.deepEqual((await examine(apps, false)).map(told), found(shop), 'looking changes nothing');
    const repaired = await examine(apps, true);
    assert.deepEqual(repaired.map(told), found(shop));
    assert.ok(repaired.every(({ outcome }) => outcome === 'repaired'));
    assert.deepEqual(await examine(apps, true), []);
    repairedShop = shop;
  });
