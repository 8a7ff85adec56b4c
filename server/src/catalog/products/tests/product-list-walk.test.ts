import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { PageAnchors } from '../../../api/page-anchors.ts';
import { pageOf } from '../../../api/pagination.ts';
import type { Database } from '../../../postgres/database.ts';
import { listProductsUnless, type ProductFilter, parseSort } from '../list-products.ts';

const apps = await createTestApps();
const { database } = apps;
const size = 3;

/** Creates a brand with ten products; each `created_at` is shared by two of them. */
async function newCatalog() {
  const { client, brandId } = await apps.newBrand();
  for (let n = 0; n < 10; n += 1)
    await client.create('/catalog/products', { sku: `W-${n % 5}-${n}`, is_active: n % 2 === 0 });
  await apps.sql(
    `update products set created_at = timestamptz '2026-01-01' + (id / 2) * interval '1 second' where brand_id = $1`,
    [brandId],
  );
  return { client, brandId };
}

/** Reads pages with the anchors of earlier pages, and records how each page was read. */
function reader(brandId: number, sort = '-updated_at', filter: ProductFilter = {}) {
  const anchors = new PageAnchors();
  const statements: string[] = [];
  const noting = {
    run: (statement: Parameters<Database['run']>[0]) => {
      statements.push(statement.name.endsWith('/after') ? 'after' : 'offset');
      return database.run(statement);
    },
  } as unknown as Database;
  const read = async (source: Database, known: PageAnchors, number: number) => {
    const context = { database: source, anchors: known };
    const page = pageOf({ page: number, per_page: size });
    const request = { filter, sort: parseSort(sort), page, known: null };
    const list = await listProductsUnless(context, brandId, request);
    assert.ok(list);
    const { products, total } = list;
    return { total, skus: products.map(({ product }) => product.sku) };
  };
  return {
    page: (number: number) => read(noting, anchors, number),
    /** Reads without any anchors. */
    fresh: (number: number) => read(database, new PageAnchors(), number),
    /** Returns how the pages since the last call were read. */
    ways: () => statements.splice(0),
  };
}

describe('a walk through the product list', () => {
  for (const sort of ['-updated_at', 'updated_at', 'sku', '-sku', 'created_at', '-created_at,-updated_at'])
    it(`by ${sort} begins each page where the one before ended`, async () => {
      const { brandId } = await newCatalog();
      const walk = reader(brandId, sort);
      for (const number of [1, 2, 3, 4, 5])
        assert.deepEqual(await walk.page(number), await walk.fresh(number));
      // Page 4 is not full, so it leaves no anchor.
      assert.deepEqual(walk.ways(), ['offset', 'after', 'after', 'after', 'offset']);
    });

  it('in an order of two directions reads by offset', async () => {
    const { brandId } = await newCatalog();
    const walk = reader(brandId, 'created_at,-updated_at');
    for (const number of [1, 2]) assert.deepEqual(await walk.page(number), await walk.fresh(number));
    assert.deepEqual(walk.ways(), ['offset', 'offset']);
  });

  it('keeps its filters', async () => {
    const { brandId } = await newCatalog();
    const active = reader(brandId, 'sku', { isActive: true });
    assert.deepEqual(await active.page(1), { total: 5, skus: ['W-0-0', 'W-1-6', 'W-2-2'] });
    assert.deepEqual(await active.page(2), { total: 5, skus: ['W-3-8', 'W-4-4'] });
    assert.deepEqual(active.ways(), ['offset', 'after']);
  });

  it('keeps its place when only stock has changed', async () => {
    const { client, brandId } = await newCatalog();
    const walk = reader(brandId);
    await walk.page(1);
    const { json } = await client.get('/catalog/products?sku=W-0-0');
    await client.create(`/catalog/products/${json.data[0].tu_id}/stock/adjust`, { quantity: 5 });
    assert.deepEqual(await walk.page(2), await walk.fresh(2));
    assert.deepEqual(walk.ways(), ['offset', 'after']);
  });
});

describe('a page whose predecessor was read before a change', () => {
  const changes: [string, (client: Awaited<ReturnType<typeof newCatalog>>['client']) => Promise<unknown>][] =
    [
      ['a product was created', (client) => client.create('/catalog/products', { sku: 'NEW' })],
      [
        'a product was changed',
        async (client) => {
          const { json } = await client.get('/catalog/products?sort=updated_at&per_page=1');
          return client.patch(`/catalog/products/${json.data[0].tu_id}`, { title: 'Changed' });
        },
      ],
    ];
  for (const [what, change] of changes)
    it(`is read by its offset when ${what}, as if nothing had been read before`, async () => {
      const { client, brandId } = await newCatalog();
      const walk = reader(brandId);
      await walk.page(1);
      await change(client);
      assert.deepEqual(await walk.page(2), await walk.fresh(2));
      assert.deepEqual(walk.ways(), ['offset', 'after', 'offset']);
      assert.deepEqual(await walk.page(3), await walk.fresh(3));
      assert.deepEqual(walk.ways(), ['after']);
    });

  it('is not found by the anchor of another brand, page size or order', async () => {
    const [one, other] = [await newCatalog(), await newCatalog()];
    const anchors = new PageAnchors();
    const read = async (brandId: number, sort: string, number: number, perPage: number) => {
      const page = pageOf({ page: number, per_page: perPage });
      const request = { filter: {}, sort: parseSort(sort), page, known: null };
      const list = await listProductsUnless({ database, anchors }, brandId, request);
      return list?.products.map(({ product }) => `${product.brandId}/${product.sku}`);
    };
    for (const sort of ['sku', '-sku']) await read(one.brandId, sort, 1, 2);
    assert.deepEqual(await read(other.brandId, 'sku', 2, 2), [
      `${other.brandId}/W-1-1`,
      `${other.brandId}/W-1-6`,
    ]);
    assert.deepEqual(await read(one.brandId, 'sku', 2, 2), [`${one.brandId}/W-1-1`, `${one.brandId}/W-1-6`]);
    assert.deepEqual(await read(one.brandId, '-sku', 2, 2), [`${one.brandId}/W-3-8`, `${one.brandId}/W-3-3`]);
    assert.deepEqual(await read(one.brandId, 'sku', 3, 1), [`${one.brandId}/W-1-1`]);
  });
});
