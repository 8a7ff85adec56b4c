import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisOf, choiceOf, valueIn } from '../../axes/axis-library.ts';
import { createAxes } from '../../axes/create-axes.ts';
import type { DataSet } from '../../data-sets/data-set.ts';
import { createProducts } from '../../products/create-products.ts';
import { verifyLedger } from '../../stock/read-ledger.ts';
import { verifyLevels } from '../../stock/read-levels.ts';
import { verifyReports } from '../../stock/read-reports.ts';
import { createLocation, sendFeeds } from '../../stock/send-feeds.ts';
import { StockModel, stockableVariants } from '../../stock/stock-model.ts';
import { differencesOf, startDemoUnderTest } from '../../tests/demo.ts';
import { createVariants } from '../create-variants.ts';
import { verifyParents } from '../read-parents.ts';
import { parentScopes, roundTripParents, type Shop } from '../round-trip-parents.ts';
import { selectAxes } from '../select-axes.ts';

const demo = await startDemoUnderTest();
const { sql } = demo.testDatabase;

const size = axisOf('size', 'Größe', ['S', 'M ', 'M', '5½']);
const color = axisOf('color', 'Farbe', ['Grün', 'Weiß', 'Weiß (matt)']);
const library = [size, color];
const location = 'L1';

/** Two products with 8 and 1 variants, with every stock status and one variant without a level. */
const shop: Shop = {
  axisLibrary: library,
  parents: [
    {
      body: { sku: 'P1', title: 'Schuh', is_active: true, price_value: 10.5, price_currency: 'EUR' },
      choice: [choiceOf(color, ['Weiß', 'Grün']), choiceOf(size, ['S', 'M ', 'M', '5½'])],
      variants: ['Grün', 'Weiß'].flatMap((colorText) =>
        ['5½', 'M', 'M ', 'S'].map((sizeText, index) => ({
          sku: `P1/${colorText}/${sizeText}.`,
          axisValues: { color: valueIn(color, colorText), size: valueIn(size, sizeText) },
          price: index === 0 ? 12.3456 : null,
        })),
      ),
    },
    {
      body: { sku: 'P2', title: 'Hut', is_active: false, price_value: 0, price_currency: 'EUR' },
      choice: [choiceOf(color, ['Weiß (matt)'])],
      variants: [{ sku: 'P2-1', axisValues: { color: valueIn(color, 'Weiß (matt)') }, price: null }],
    },
  ],
  location,
  stock: [
    ...['5½', 'M', 'M ', 'S'].map((text, index) => ({
      sku: `P1/Grün/${text}.`,
      location_code: location,
      quantity: index * 3,
    })),
    { sku: 'nobody’s', location_code: location, quantity: 1 },
    { sku: 'P2-1', location_code: location, quantity: 7 },
    { sku: 'P2-1', location_code: location, quantity: 0 },
  ],
};

/** Sends the shop, lets `spoil` change the stored data directly, and reads everything. */
async function differencesAfter(spoil: (brandId: number) => Promise<unknown>): Promise<string[]> {
  const dataSet: DataSet = {
    name: 'spoiled',
    files: [],
    async run(run) {
      const brand = await run.newBrand(parentScopes);
      const bodies = shop.parents.map(({ body }) => body);
      const created = await createProducts(run, brand, bodies);
      await createAxes(run, brand, library);
      const pending = await selectAxes(run, brand, { axisLibrary: library, sources: shop.parents, created });
      const parents = await createVariants(run, brand, pending);
      const stockables = stockableVariants(parents);
      const model = new StockModel(new Set(stockables.map(({ sku }) => sku)));
      await createLocation(brand, location);
      const batchId = 'stock';
      const feeds = await sendFeeds(run, brand, [
        { batchId, lines: shop.stock, expected: model.apply(batchId, shop.stock) },
      ]);
      await verifyReports(run, brand, feeds);
      await spoil(brand.id);
      const { levels, movements } = model;
      const quantities = new Map([...levels].map(([sku, { quantity }]) => [sku, quantity]));
      const { lowStockThreshold } = brand;
      await verifyParents(run, brand, parents, {
        axisLibrary: library,
        lowStockThreshold,
        location,
        quantities,
      });
      await verifyLevels(run, brand, { location, stockables, levels });
      await verifyLedger(run, brand, stockables, { location, feeds, movements, levels });
      await verifyReports(run, brand, feeds);
    },
  };
  return differencesOf(await demo.run([dataSet]));
}

test('a shop that is served as sent has no differences', async () => {
  const dataSet: DataSet = {
    name: 'plain',
    files: [],
    async run(run) {
      const brand = await run.newBrand(parentScopes);
      const created = await createProducts(
        run,
        brand,
        shop.parents.map(({ body }) => body),
      );
      await roundTripParents(run, brand, created, shop);
    },
  };
  const results = await demo.run([dataSet]);
  assert.deepEqual(differencesOf(results), []);
  const records = Object.fromEntries(results.map(({ name, records }) => [name, records]));
  assert.equal(records['create variants'], 9);
  assert.equal(records['read reports'], 7);
  assert.equal(records['read levels'], 5);
  assert.equal(records['read ledger'], 3);
});

test('a label in another Unicode normalization is a difference in every read that has it', async () => {
  const texts = await differencesAfter((brandId) =>
    sql(`update axis_values set label = normalize(label, NFD) where brand_id = $1 and value = 'Grun'`, [
      brandId,
    ]),
  );
  assert.deepEqual(texts, [
    'read products | P1.axes.0.values.0.label is "Gru\\u0308n", expected was "Gr\\u00fcn"',
    'read products | P1/axes.data.0.values.0.label is "Gru\\u0308n", expected was "Gr\\u00fcn"',
  ]);
});

test('another price or barcode of a variant is a difference', async () => {
  const texts = await differencesAfter(async (brandId) => {
    const where = 'where brand_id = $1 and sku =';
    await sql(`update variants set price_value = 10.5 ${where} 'P1/Grün/S.'`, [brandId]);
    await sql(`update variants set barcode = '1' ${where} 'P2-1'`, [brandId]);
  });
  assert.deepEqual(texts.sort(), [
    'read products | P1.variants.3.price.inherited is false, expected was true',
    'read products | P1/variants?per_page=7&page=1.data.3.price.inherited is false, expected was true',
    'read products | P2.variants.0.barcode is "1", expected was null',
    'read products | P2/variants?per_page=7&page=1.data.0.barcode is "1", expected was null',
  ]);
});

test('another quantity is a difference in the levels, the reads of the product and the ledger', async () => {
  const texts = await differencesAfter((brandId) =>
    sql(`update stock_levels set quantity = 10 where brand_id = $1 and sku = 'P1/Grün/S.'`, [brandId]),
  );
  const found = texts.map((text) => text.replace(/ is .*/, '')).sort();
  assert.ok(found.includes('read levels | /catalog/stock/levels?per_page=200&page=1.data.3.quantity'));
  assert.ok(found.includes('read products | P1/stock.variants.3.levels.0.quantity'), found.join('\n'));
});

test('a missing or different movement is a difference', async () => {
  const texts = await differencesAfter(async (brandId) => {
    await sql(`delete from stock_movements where brand_id = $1 and sku = 'P1/Grün/S.'`, [brandId]);
    await sql(`update stock_movements set note = 'x' where brand_id = $1 and sku = 'P1/Grün/M.'`, [brandId]);
  });
  const found = texts.map((text) =>
    text.replace(/"feed:[\w-]+"/, 'the feed').replace(/\| [\w-]{21}:/, '| id:'),
  );
  assert.deepEqual(found.sort(), [
    'read ledger | P1/Gr\u00fcn/M./movements.0.note is "x", expected was the feed',
    'read ledger | P1/Gr\u00fcn/S./movements has 0 entries, expected were 1',
    'read ledger | P1/Gr\u00fcn/S.: the movements add up to 0, the level is 9',
    'read ledger | id: has 2 movements, not 3',
  ]);
});

test('a line of a report with another result, and totals that do not add up, are differences', async () => {
  const texts = await differencesAfter(async (brandId) => {
    await sql(
      `update stock_feed_packs set results = overlay(results placing 's' from 5) where brand_id = $1`,
      [brandId],
    );
    await sql(`update stock_feeds set totals = totals || '{"unknown_sku": 2}' where brand_id = $1`, [
      brandId,
    ]);
  });
  assert.deepEqual(texts, [
    'read reports | stock.totals is {"received":7,"superseded":1,"unknown_sku":2,"applied":5}, expected was {"received":7,"applied":5,"unknown_sku":1,"superseded":1}',
    'read reports | stock.lines.data.4.result is "stale", expected was "unknown_sku"',
  ]);
});

test('levels that were not sent are differences', async () => {
  const texts = await differencesAfter((brandId) =>
    sql(`delete from stock_levels where brand_id = $1 and sku = 'P2-1'`, [brandId]),
  );
  assert.ok(
    texts.includes(
      'read levels | /catalog/stock/levels?per_page=200&page=1.data has 4 entries, expected were 5',
    ),
    texts.join('\n'),
  );
});
