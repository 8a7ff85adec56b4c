import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const values = ['a', 'b', 'c', 'd', 'e'];
await newAxes(client, { v: values });
const product = await newParent(client, { v: values });
const sibling = await newParent(client, { v: values });
for (const [index, v] of values.entries())
  await newVariant(client, product.tu_id, {
    sku: `SKU-${v}`,
    axis_values: { v },
    is_active: index % 2 === 0,
  });
await newVariant(client, sibling.tu_id, { sku: 'SIBLING', axis_values: { v: 'a' }, is_active: true });
const path = `/catalog/products/${product.tu_id}/variants`;

const list = async (query = '') => {
  const { data, meta } = await ok(client.get(`${path}${query}`));
  return { skus: data.map(({ sku }: { sku: string }) => sku.slice(4)).join(''), meta };
};

// [catalog-58]
describe('the variants of a product', () => {
  it('are listed by position, including inactive ones, without those of other products', async () => {
    const { skus, meta } = await list();
    assert.equal(skus, 'abcde');
    assert.deepEqual(meta, { current_page: 1, per_page: 50, total: 5, last_page: 1 });
  });

  it('are paged, with each variant once and the total of all matches', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?per_page=2&page=${page}`)));
    assert.deepEqual(
      pages.map(({ skus }) => skus),
      ['ab', 'cd', 'e', ''],
    );
    assert.deepEqual(pages[3]?.meta, { current_page: 4, per_page: 2, total: 5, last_page: 3 });
    const active = await list('?is_active=true&per_page=2&page=2');
    assert.deepEqual(active, { skus: 'e', meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } });
  });

  it('are filtered by is_active, in every spelling of a boolean', async () => {
    for (const query of ['?is_active=true', '?is_active=1'])
      assert.deepEqual([(await list(query)).skus, (await list(query)).meta.total], ['ace', 3]);
    for (const query of ['?is_active=false', '?is_active=0'])
      assert.deepEqual([(await list(query)).skus, (await list(query)).meta.total], ['bd', 2]);
  });

  it('are filtered by the exact SKU, alone and together with is_active', async () => {
    const found = async (query: string) => {
      const { skus, meta } = await list(query);
      return [skus, meta.total];
    };
    assert.deepEqual(await found('?sku=SKU-b'), ['b', 1]);
    assert.deepEqual(await found('?sku=SKU-b&page=2'), ['', 1]);
    assert.deepEqual(await found('?sku=SKU-b&is_active=false'), ['b', 1]);
    for (const query of [
      '?sku=SKU-b&is_active=true',
      '?sku=sku-b',
      '?sku=SKU',
      '?sku=',
      '?sku=SIBLING',
      '?sku=%25',
    ])
      assert.deepEqual(await found(query), ['', 0]);
  });

  it('are at most 200 per page, and none after the last', async () => {
    const { skus, meta } = await list('?per_page=1000&page=99999999999999999999');
    assert.deepEqual([skus, meta.per_page, meta.total], ['', 200, 5]);
  });

  for (const query of [
    'page=0',
    'page=x',
    'per_page=0',
    'per_page=1.5',
    'is_active=yes',
    'is_active=',
    'sku=%00',
    'sku=a&sku=b',
  ])
    it(`refuse ${query}`, async () =>
      assertRefused(await client.get(`${path}?${query}`), 'validation_failed', [
        query.split('=')[0] as string,
      ]));

  it('are none for a product without variants', async () => {
    const { tu_id } = await ok(client.create('/catalog/products', { sku: 'SIMPLE' }), 201);
    const answer = await ok(client.get(`/catalog/products/${tu_id}/variants`));
    assert.deepEqual(answer, { data: [], meta: { current_page: 1, per_page: 50, total: 0, last_page: 1 } });
  });
});

describe('a product with many variants', () => {
  it('shows all of them on its detail and page by page', async () => {
    const many = Array.from({ length: 250 }, (_, i) => `v${String(i).padStart(3, '0')}`);
    await newAxes(client, { many });
    const { tu_id } = await newParent(client, { many }, { sku: 'MANY' });
    await ok(client.create(`/catalog/products/${tu_id}/variants/generate`), 201);
    const expected = many.map((value) => `MANY-${value}`);
    const { variants } = await ok(client.get(`/catalog/products/${tu_id}`));
    assert.deepEqual(
      variants.map(({ sku }: { sku: string }) => sku),
      expected,
    );
    const pages = await Promise.all(
      [1, 2].map((page) => ok(client.get(`/catalog/products/${tu_id}/variants?per_page=200&page=${page}`))),
    );
    const listed = pages.flatMap(({ data }) => data.map(({ sku }: { sku: string }) => sku));
    assert.deepEqual(listed, expected);
    assert.equal(pages[1].meta.total, 250);
  });
});
