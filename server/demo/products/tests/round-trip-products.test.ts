import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataSet } from '../../data-sets/data-set.ts';
import { DemoError } from '../../demo-error.ts';
import { differencesOf, startDemoUnderTest } from '../../tests/demo.ts';
import { type CreatedProduct, createProducts, resendProducts } from '../create-products.ts';
import type { ProductBody } from '../product-body.ts';
import { verifyTotals, verifyWalk } from '../read-products.ts';
import { partOf, roundTripProducts } from '../round-trip-products.ts';

const demo = await startDemoUnderTest();
const { sql } = demo.testDatabase;

const bodies: ProductBody[] = Array.from({ length: 23 }, (_, index) => ({
  sku: `SKU-${index}`,
  title: `Größe ${index} – 靴 👟`,
  is_active: index % 2 === 0,
  versions: { de: { title: `Größe ${index}` }, ja: { title: `靴 ${index}` } },
}));

/** Creates the products, lets `spoil` change the stored data directly, and reads and sends again. */
function spoiled(spoil: (brandId: number, created: readonly CreatedProduct[]) => Promise<unknown>): DataSet {
  return {
    name: 'spoiled',
    files: [],
    async run(run) {
      const brand = await run.newBrand(['catalog.products:read', 'catalog.products:write']);
      const created = await createProducts(run, brand, bodies);
      await spoil(brand.id, created);
      await verifyWalk(run, brand, created, { pageSize: 7, sort: 'sku' });
      await resendProducts(run, brand, created);
      await verifyTotals(run, brand, bodies);
    },
  };
}

test('products that are served as sent have no differences, even with no products', async () => {
  const dataSet: DataSet = {
    name: 'plain',
    files: [],
    run: async (run) => {
      await roundTripProducts(run, bodies);
      await roundTripProducts(run, []);
    },
  };
  const results = await demo.run([dataSet]);
  assert.deepEqual(differencesOf(results), []);
  assert.equal(results.find(({ name }) => name === 'create')?.records, 23);
});

test('a title that differs in its Unicode normalization alone is a difference', async () => {
  const results = await demo.run([
    spoiled((brandId) =>
      sql(`update products set title = normalize(title, NFD) where brand_id = $1 and sku = 'SKU-4'`, [
        brandId,
      ]),
    ),
  ]);
  assert.deepEqual(differencesOf(results), [
    'read by 7, sku | SKU-4: title is "Gro\\u0308\\u00dfe 4 \\u2013 \\u9774 \\ud83d\\udc5f", sent was "Gr\\u00f6\\u00dfe 4 \\u2013 \\u9774 \\ud83d\\udc5f"',
  ]);
});

test('a lost and an invented translation are differences', async () => {
  const results = await demo.run([
    spoiled((brandId) =>
      sql(
        `update products set versions = case sku when 'SKU-1' then versions - 'ja' else versions || '{"it": {}}' end
         where brand_id = $1 and sku in ('SKU-1', 'SKU-2')`,
        [brandId],
      ),
    ),
  ]);
  const found = differencesOf(results).map((text) => text.slice(0, 45));
  assert.deepEqual(found.sort(), [
    'read by 7, sku | SKU-1: versions is {"de":{"t',
    'read by 7, sku | SKU-2: versions is {"de":{"t',
  ]);
});

test('a missing product and one that was never sent are differences', async () => {
  const dataSet: DataSet = {
    name: 'exchanged',
    files: [],
    run: async (run) => {
      const brand = await run.newBrand(['catalog.products:read', 'catalog.products:write']);
      const created = await createProducts(run, brand, bodies);
      const expected = created.map(({ body, answer }) => ({
        body: body.sku === 'SKU-7' ? { ...body, sku: 'OTHER' } : body,
        answer,
      }));
      await verifyWalk(run, brand, expected, { pageSize: 7, sort: 'sku' });
    },
  };
  assert.deepEqual(differencesOf(await demo.run([dataSet])), [
    'read by 7, sku | SKU-7: listed twice, or never sent',
    'read by 7, sku | OTHER: not listed',
  ]);
});

test('wrong totals are differences', async () => {
  const results = await demo.run([
    spoiled((brandId) =>
      sql('update brand_catalogs set products_total = products_total + 9 where brand_id = $1', [brandId]),
    ),
  ]);
  assert.deepEqual(differencesOf(results), [
    ...[1, 2, 3, 4].flatMap((page) => [
      `read by 7, sku | page ${page}: meta.total is 32, not 23`,
      `read by 7, sku | page ${page}: meta.last_page is 5, not 4`,
    ]),
    'totals | is_active=false: total is 20, not 11',
    'totals | has_variants=false: total is 32, not 23',
  ]);
});

test('a replay that differs from the first response in any byte is a difference', async () => {
  const results = await demo.run([
    spoiled(async (brandId) => {
      const where = `where brand_id = $1 and idempotency_key = 'create-product:SKU-`;
      await sql(`update idempotency_records set body = body || ' ' ${where}3'`, [brandId]);
      await sql(`delete from idempotency_records ${where}5'`, [brandId]);
    }),
  ]);
  const found = differencesOf(results)
    .map((text) => text.split(' {')[0])
    .sort();
  assert.deepEqual(found, [
    'send again | SKU-3: sent again, the body is another:',
    'send again | SKU-5: sent again, answered 409 without Idempotency-Replayed',
    'send again | SKU-5: sent again, answered 409, at first 201',
    'send again | SKU-5: sent again, the body is another:',
  ]);
});

test('a product that the server rejects is a difference, and the others are still processed', async () => {
  const dataSet: DataSet = {
    name: 'refused',
    files: [],
    run: async (run) => {
      const brand = await run.newBrand(['catalog.products:write']);
      await createProducts(run, brand, [
        { sku: ' SPACE', title: 'A', is_active: true },
        { sku: 'B', title: 'B', is_active: true },
      ]);
    },
  };
  const [create] = await demo.run([dataSet]);
  assert.equal(create?.records, 2);
  assert.equal(create?.differences.length, 1);
  assert.match(create?.differences[0] ?? '', /^ SPACE: 422 \{"/);
});

test('a key without the scope to read ends the run with the server’s message', async () => {
  const dataSet: DataSet = {
    name: 'blind',
    files: [],
    run: async (run) => {
      const brand = await run.newBrand(['catalog.products:write']);
      await verifyWalk(run, brand, [], { pageSize: 50, sort: 'sku' });
    },
  };
  await assert.rejects(
    demo.run([dataSet]),
    (error) => error instanceof DemoError && /answered 403 .*insufficient_scope/.test(error.message),
  );
});

test('a part begins with the products that have characters beyond ASCII', () => {
  const product = (sku: string, title: string): ProductBody => ({ sku, title, is_active: true });
  const all = [product('A', 'a'), product('B', 'b'), product('C', 'Über'), product('D', 'd')];
  assert.deepEqual(
    partOf(all, 2).map(({ sku }) => sku),
    ['C', 'A'],
  );
  assert.equal(partOf(all, 9).length, 4);
  assert.deepEqual(partOf(all, null), all);
});
