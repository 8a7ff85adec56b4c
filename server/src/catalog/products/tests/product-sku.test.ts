import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, writtenSoFar } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const products = '/catalog/products';
const create = async (sku: string) => (await client.create(products, { sku })).json;

describe('a SKU that is taken', () => {
  // [catalog-19]
  it('is refused on creation and on a rename with the name of its holder, and nothing is written', async () => {
    const holder = await create('TAKEN');
    const other = await create('OTHER');
    const before = await writtenSoFar(apps);
    const conflict = { kind: 'product', tu_id: holder.tu_id, is_deleted: false };
    for (const answer of [
      await client.create(products, { sku: 'TAKEN', is_active: true }),
      await client.patch(`${products}/${other.tu_id}`, { sku: 'TAKEN', title: 'New' }),
    ]) {
      assertRefused(answer, 'duplicate_sku');
      assert.deepEqual(answer.json.conflict, conflict);
    }
    assert.deepEqual(await writtenSoFar(apps), before);
    assert.deepEqual((await client.get(`${products}/${other.tu_id}`)).json, other);
  });

  // [catalog-20]
  it('is refused without the name of its holder to a key that may not read products', async () => {
    await create('HIDDEN');
    const writer = await apps.newKey(brandId, ['catalog.products:write', 'catalog.stock:read']);
    const answer = await writer.client.create(products, { sku: 'HIDDEN' });
    assertRefused(answer, 'duplicate_sku');
    assert.deepEqual(Object.keys(answer.json), ['code', 'message', 'doc_url']);
  });

  it('is free in another brand', async () => {
    await create('SHARED');
    const other = await apps.newBrand();
    assert.equal((await other.client.create(products, { sku: 'SHARED' })).status, 201);
  });
});

// [platform-35]
describe('two SKUs', () => {
  for (const [what, one, two] of [
    ['that differ in case', 'Case-a', 'CASE-A'],
    ['of which one is the beginning of the other', 'pre', 'prefix'],
    ['that look alike but are composed differently', 'caf\u00e9', 'cafe\u0301'],
    ['that differ in white space inside', 'a b', 'a  b'],
    ['that a locale would sort as equal', 'stra\u00dfe', 'strasse'],
    ['of which one has an invisible character', 'zero', 'ze\u200bro'],
  ] as const)
    it(`${what} are different`, async () => {
      const first = await create(one);
      const second = await create(two);
      for (const { sku, tu_id } of [first, second]) {
        const { json } = await client.get(`${products}?sku=${encodeURIComponent(sku)}`);
        assert.deepEqual(
          json.data.map((product: { tu_id: string }) => product.tu_id),
          [tu_id],
        );
        assert.equal(json.meta.total, 1);
      }
    });
});

describe('a rename', () => {
  it('frees the old SKU', async () => {
    const { tu_id } = await create('OLD');
    assert.equal((await client.patch(`${products}/${tu_id}`, { sku: 'NEW' })).status, 200);
    assert.equal((await client.get(`${products}?sku=OLD`)).json.meta.total, 0);
    const next = await create('OLD');
    assert.notEqual(next.tu_id, tu_id);
    assertRefused(await client.patch(`${products}/${tu_id}`, { sku: 'OLD' }), 'duplicate_sku');
  });

  it('to the current SKU does not conflict with itself', async () => {
    const { tu_id } = await create('SELF');
    assert.equal((await client.patch(`${products}/${tu_id}`, { sku: 'SELF', title: 'x' })).status, 200);
    assertRefused(await client.create(products, { sku: 'SELF' }), 'duplicate_sku');
  });

  it('can change only the case, and frees the old spelling', async () => {
    const { tu_id } = await create('camel');
    assert.equal((await client.patch(`${products}/${tu_id}`, { sku: 'Camel' })).json.sku, 'Camel');
    assert.equal((await create('camel')).sku, 'camel');
  });

  // [catalog-21]
  it('cannot swap two SKUs directly, but can through a third', async () => {
    const [a, b] = [await create('SWAP-A'), await create('SWAP-B')];
    assertRefused(await client.patch(`${products}/${a.tu_id}`, { sku: 'SWAP-B' }), 'duplicate_sku');
    await client.patch(`${products}/${a.tu_id}`, { sku: 'SWAP-C' });
    await client.patch(`${products}/${b.tu_id}`, { sku: 'SWAP-A' });
    await client.patch(`${products}/${a.tu_id}`, { sku: 'SWAP-B' });
    const skus = [
      (await client.get(`${products}/${a.tu_id}`)).json.sku,
      (await client.get(`${products}/${b.tu_id}`)).json.sku,
    ];
    assert.deepEqual(skus, ['SWAP-B', 'SWAP-A']);
  });

  it('of 20 products to one SKU at the same time succeeds for exactly one', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => create(`RACE-${i}`)));
    const answers = await Promise.all(
      all.map(({ tu_id }) => client.patch(`${products}/${tu_id}`, { sku: 'RACE-WON' })),
    );
    const winners = answers.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertRefused(answer, 'duplicate_sku');
      assert.equal(answer.json.conflict.tu_id, winners[0]?.json.tu_id);
    }
  });
});

describe('the claims of a brand', () => {
  it('are exactly the SKUs of its products', async () => {
    const claimed = await apps.sql(
      'select sku, tu_id from sku_claims where brand_id = $1 order by sku, tu_id',
      [brandId],
    );
    const held = await apps.sql('select sku, tu_id from products where brand_id = $1 order by sku, tu_id', [
      brandId,
    ]);
    assert.ok(held.length > 20);
    assert.deepEqual(claimed, held);
  });
});
