import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps, type TestBrand } from '../../../test/support/test-apps.ts';
import { applyFeed } from '../../catalog/feeds/tests/feeds.ts';
import { adjust, adjusted, newLocation, newSimple, setAsFeed } from '../../catalog/stock/tests/stock.ts';
import { newAxes, newParent, newVariant, ok } from '../../catalog/tests/new-axes.ts';
import { Database } from '../../postgres/database.ts';
import type { Finding } from '../difference.ts';
import { runDoctor } from '../run-doctor.ts';

const apps = await createTestApps({ runsJobs: true });
const { sql } = apps;

/** Uses separate connections, as the command does, so that plans made while the tables were small are not reused. */
async function examine(repair: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  const database = new Database({ address: apps.address, applicationName: 'brandport-doctor' });
  const report = (finding: Finding) => findings.push(finding);
  const summary = await runDoctor(database, { repair, report }).finally(() => database.close());
  assert.equal(summary.found, findings.length);
  assert.equal(summary.repaired, findings.filter(({ isRepaired }) => isRepaired).length);
  assert.equal(summary.left, summary.found - summary.repaired);
  return findings;
}

/** A finding in the form `check id field: stored > actual`. */
const told = ({ check, id, field, stored, actual }: Finding) =>
  `${check} ${id} ${field}: ${stored} > ${actual}`;

interface Shop extends TestBrand {
  readonly simple: string;
  readonly parent: string;
  readonly feed: string;
  readonly name: string;
}

/** Creates a brand with every kind of derived value, under its own SKUs. */
async function newShop(name: string): Promise<Shop> {
  const brand = await apps.newBrand({ name });
  const { client, brandId } = brand;
  await newLocation(client, 'WH');
  await newLocation(client, 'CLOSED', { is_active: false });
  const simple = await newSimple(client, `${name}-S`);
  await ok(client.patch(`/catalog/products/${simple.tu_id}`, { is_active: true }));
  await adjusted(client, simple.tu_id, { location: 'WH', quantity: 5 });
  await adjusted(client, simple.tu_id, { location: 'WH', quantity: 3 });
  await adjusted(client, simple.tu_id, { location: 'CLOSED', quantity: 9 });
  await newAxes(client, { size: ['s', 'm', 'l'] });
  const parent = await newParent(client, { size: ['s', 'm', 'l'] }, { sku: `${name}-P` });
  const variant = (size: string, fields: object) =>
    newVariant(client, parent.tu_id, { sku: `${name}-${size}`, axis_values: { size }, ...fields });
  await variant('s', { is_active: true, price: { value: 12.5 } });
  const m = await variant('m', { is_active: true });
  const l = await variant('l', {});
  await setAsFeed(apps, brandId, { sku: `${name}-s`, location: 'WH', quantity: 7, reserved: 2 });
  await adjusted(client, parent.tu_id, { variant: m.tu_id, quantity: 4 });
  await adjusted(client, parent.tu_id, { variant: l.tu_id, quantity: 6 });
  await ok(client.delete(`/catalog/variants/${l.tu_id}`), 204);
  const feed = `feed-${name}`.padEnd(21, '0').slice(0, 21);
  await sql(
    `with feed as (
       insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line,
         totals, received_at, finished_at)
       values ($1, $2, 'batch', '', 'erp', 'completed', 3, 3, '{"applied": 2, "unknown_sku": 1}', now(), now())
       returning id
     )
     insert into stock_feed_lines (brand_id, feed_id, line, sku, location_code, quantity, updated_at, result)
     select $1, feed.id, n, 'x', 'WH', 1, now(), case n when 2 then 'unknown_sku' else 'applied' end
     from feed, generate_series(0, 2) n`,
    [brandId, feed],
  );
  return { ...brand, simple: simple.tu_id, parent: parent.tu_id, feed, name };
}

let repairedShop: Shop | null = null;

/**
 * Returns the shop that the last test repaired completely, or a new one. Every examination covers all brands, so a shop
 * for each damage would make each test slower than the one before.
 */
async function borrowShop(): Promise<Shop> {
  const shop = repairedShop ?? (await newShop('repairable'));
  repairedShop = null;
  return shop;
}

interface Spoiling {
  readonly what: string;
  /** `$1` is the brand. */
  readonly spoil: string;
  readonly found: (shop: Shop) => string[];
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
    what: 'the totals of a feed',
    spoil: `update stock_feeds set totals = '{"applied": 1, "stale": 2}' where brand_id = $1`,
    found: ({ feed }) => [
      `feed_totals ${feed} totals.applied: 1 > 2`,
      `feed_totals ${feed} totals.stale: 2 > 0`,
      `feed_totals ${feed} totals.unknown_sku: 0 > 1`,
    ],
  },
];

const notRepairable: Spoiling[] = [
  {
    // The rollup is not adjusted to a level that its ledger contradicts.
    what: 'a quantity, of which the ledger and the rollup know nothing',
    spoil: `update stock_levels set quantity = 50 where brand_id = $1 and location_code = 'CLOSED'`,
    found: ({ name, simple }) => [
      `stock_ledger ${name}-S @ CLOSED sum_of_movements: 50 > 9`,
      `stock_ledger ${name}-S @ CLOSED last_movement: 50 > 9`,
      `product_stock ${simple} total_quantity: 12 > 53`,
    ],
  },
  {
    what: 'the ledger, by losing the last movement of a level',
    spoil: `delete from stock_movements where brand_id = $1 and quantity_after = 3`,
    found: ({ name }) => [
      `stock_ledger ${name}-S @ WH sum_of_movements: 3 > 5`,
      `stock_ledger ${name}-S @ WH last_movement: 3 > 5`,
    ],
  },
  {
    what: 'the ledger, by losing the first movement of a level',
    spoil: `delete from stock_movements where brand_id = $1 and quantity_after = 5`,
    found: ({ name }) => [
      `stock_ledger ${name}-S @ WH sum_of_movements: 3 > -2`,
      `stock_ledger ${name}-S @ WH chain_of_movements: 5 > 0`,
    ],
  },
  {
    what: 'the ledger, by two errors that cancel each other out in the sum',
    spoil: `update stock_movements set quantity_after = case quantity_after when 5 then 6 else 2 end
      where brand_id = $1 and quantity_after in (5, 3)`,
    found: ({ name }) =>
      [
        `stock_ledger ${name}-S @ WH sum_of_movements: 3 > 3`,
        `stock_ledger ${name}-S @ WH last_movement: 3 > 2`,
        `stock_ledger ${name}-S @ WH chain_of_movements: 5 > 6`,
      ].slice(1),
  },
  {
    what: 'the ledger of the level of a deleted variant',
    spoil: `delete from stock_movements where brand_id = $1 and sku like '%-l'`,
    found: ({ name }) => [
      `stock_ledger ${name}-l @ __default__ sum_of_movements: 6 > 0`,
      `stock_ledger ${name}-l @ __default__ last_movement: 6 > 0`,
    ],
  },
  {
    what: 'the number of lines of a feed',
    spoil: `update stock_feeds set received_lines = 4 where brand_id = $1`,
    found: ({ feed }) => [`feed_totals ${feed} received_lines: 4 > 3`],
  },
  {
    what: 'a completed feed with a line that was never decided',
    spoil: `with gone as (
        update stock_feed_lines set result = null where brand_id = $1 and line = 2
      )
      update stock_feeds set totals = '{"applied": 2}' where brand_id = $1`,
    found: ({ feed }) => [`feed_totals ${feed} lines_passed_over: 0 > 1`],
  },
];

describe('the doctor', () => {
  it('finds nothing in a database that only its services have written to', async () => {
    const { client, name } = await newShop('clean');
    await apps.newBrand();
    const line = { location_code: 'WH', quantity: 3, reserved: 1 };
    const results = await applyFeed(client, [
      { ...line, sku: `${name}-S`, quantity: 1 },
      { ...line, sku: `${name}-S` },
      { ...line, sku: `${name}-s` },
      { ...line, sku: `${name}-l` },
      { ...line, sku: `${name}-P` },
      { ...line, sku: `${name}-m`, location_code: 'NONE' },
      { ...line, sku: `${name}-m`, location_code: 'CLOSED' },
    ]);
    assert.deepEqual(results, [
      'superseded',
      'applied',
      'applied',
      'unknown_sku',
      'not_stockable',
      'unknown_location',
      'applied',
    ]);
    assert.deepEqual(await examine(false), []);
  });

  for (const { what, spoil, found } of repairable)
    it(`finds exactly the damage and repairs it: ${what}`, async () => {
      const shop = await borrowShop();
      await sql(spoil, [shop.brandId]);
      const findings = await examine(false);
      assert.deepEqual(findings.map(told), found(shop));
      for (const finding of findings)
        assert.deepEqual(
          [finding.brandId, finding.isRepairable, finding.isRepaired],
          [shop.brandId, true, false],
        );
      assert.deepEqual((await examine(false)).map(told), found(shop), 'looking changes nothing');
      const repaired = await examine(true);
      assert.deepEqual(repaired.map(told), found(shop));
      assert.ok(repaired.every(({ isRepaired }) => isRepaired));
      assert.deepEqual(await examine(true), []);
      repairedShop = shop;
    });

  for (const { what, spoil, found } of notRepairable)
    it(`finds and cannot repair ${what}`, async () => {
      const shop = await newShop(`n${notRepairable.findIndex((spoiling) => spoiling.what === what)}`);
      const before = await sql('select to_jsonb(l) as level from stock_levels l order by l.id');
      await sql(spoil, [shop.brandId]);
      const ofShop = (findings: Finding[]) => findings.filter(({ isRepairable }) => !isRepairable);
      const findings = ofShop(await examine(false));
      assert.deepEqual(findings.map(told), found(shop));
      const spoiled = await sql('select to_jsonb(l) as level from stock_levels l order by l.id');
      await examine(true);
      assert.deepEqual(await sql('select to_jsonb(l) as level from stock_levels l order by l.id'), spoiled);
      assert.deepEqual((await examine(true)).map(told), found(shop));
      // For the following tests: permanent damage is removed with its brand.
      await sql('delete from stock_movements where brand_id = $1', [shop.brandId]);
      await sql('update stock_levels set quantity = 0 where brand_id = $1', [shop.brandId]);
      await sql('delete from stock_feed_lines where brand_id = $1', [shop.brandId]);
      await sql('delete from stock_feeds where brand_id = $1', [shop.brandId]);
      await examine(true);
      assert.ok(before.length > 0);
    });

  it('reports two owners of one SKU and leaves them unchanged', async () => {
    const { brandId, name, parent } = await newShop('two');
    await sql(`update variants set sku = $2 where brand_id = $1 and sku = $3`, [
      brandId,
      `${name}-P`,
      `${name}-s`,
    ]);
    const findings = await examine(true);
    const [variant] = await sql<{ tu_id: string }>(
      'select tu_id from variants where brand_id = $1 and sku = $2',
      [brandId, `${name}-P`],
    );
    const double = findings.filter(({ isRepaired }) => !isRepaired);
    assert.deepEqual(double.map(told), [`sku_claims ${name}-P second_owner: null > ${variant?.tu_id}`]);
    const [claim] = await sql('select kind, tu_id from sku_claims where brand_id = $1 and sku = $2', [
      brandId,
      `${name}-P`,
    ]);
    assert.deepEqual(claim, { kind: 'product', tu_id: parent });
    await sql(`insert into sku_claims (brand_id, sku, kind, tu_id) values ($1, 'free', 'variant', $2)`, [
      brandId,
      variant?.tu_id,
    ]);
    await sql(`update variants set sku = 'free' where brand_id = $1 and sku = $2`, [brandId, `${name}-P`]);
    await examine(true);
    assert.deepEqual(await examine(false), []);
  });

  // [internal-49]
  it('finds differences in every brand, each under its own id', async () => {
    const shops = [await newShop('east'), await newShop('west')];
    await sql('update product_stock set total_quantity = -1 where brand_id = any($1)', [
      shops.map(({ brandId }) => brandId),
    ]);
    const findings = await examine(true);
    assert.deepEqual(
      findings.map(({ brandId }) => brandId),
      shops.flatMap(({ brandId }) => [brandId, brandId]),
    );
    assert.deepEqual(await examine(false), []);
  });

  it('scans and repairs more rows than a batch has', async () => {
    const { brandId } = await newShop('large');
    const loader = new Database({ address: apps.address, applicationName: 'brandport-test' });
    await loader.pool.query(
      `with claims as (
         insert into sku_claims (brand_id, sku, kind, tu_id)
         select $1, 'L' || n, 'product', lpad(n::text, 21, '0') from generate_series(1, 12000) n
       ), made as (
         insert into products (brand_id, tu_id, sku, type, title, default_language, versions, price_value,
           price_currency, tax_class, is_active, created_at, updated_at)
         select $1, lpad(n::text, 21, '0'), 'L' || n, 'simple', 't', 'en', '{}', 1, 'EUR', 'standard', false, now(), now()
         from generate_series(1, 12000) n
         returning id
       )
       insert into product_stock (brand_id, product_id, total_quantity) select $1, id, 7 from made`,
      [brandId],
    );
    await loader.close();
    const findings = await examine(true);
    assert.equal(findings.length, 12_001);
    assert.ok(findings.every(({ isRepaired }) => isRepaired));
    assert.deepEqual(await examine(false), []);
  });

  it('moves updated_at of a product whose variant rollup it repairs, so that pollers see the change', async () => {
    const { client, brandId, parent } = await newShop('poll');
    const before = await ok(client.get(`/catalog/products/${parent}`));
    await sql('update products set own_price_min = 1 where brand_id = $1 and has_variants', [brandId]);
    await examine(true);
    const after = await ok(client.get(`/catalog/products/${parent}`));
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual({ ...after, updated_at: before.updated_at }, before);
  });

  it('raises no false alarm while the brand is being written to, and repairs at the same time without losing a write', async () => {
    const { client, brandId, simple, parent } = await newShop('busy');
    const { data: variants } = await ok(client.get(`/catalog/products/${parent}/variants`));
    const seen: Finding[] = [];
    let isWriting = true;
    const examining = (async () => {
      while (isWriting) seen.push(...(await examine(true)));
    })();
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const variant = variants[n % 2].tu_id;
        const writes = [
          () => adjust(client, simple, { location: 'WH', quantity: n }),
          () => adjust(client, parent, { variant, quantity: n }),
          () => client.patch(`/catalog/variants/${variant}`, { is_active: n % 3 === 0, sku: `busy-${n}` }),
          () => client.patch(`/catalog/products/${simple}`, { is_active: n % 3 === 0, sku: `busy-S-${n}` }),
          () => client.patch('/catalog/stock/locations/WH', { is_active: n % 8 === 0 }),
          () => client.create('/catalog/products', { sku: `busy-new-${n}` }),
        ];
        const answer = await (writes[n % writes.length] as () => ReturnType<typeof adjust>)();
        assert.ok(answer.status < 300, answer.text);
      }),
    );
    isWriting = false;
    await examining;
    assert.deepEqual(seen.map(told), []);
    await sql('update product_stock set total_quantity = -1 where brand_id = $1', [brandId]);
    assert.ok((await examine(true)).length > 0);
    assert.deepEqual(await examine(false), []);
  });
});
