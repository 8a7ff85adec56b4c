import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();

describe('a product that is created with only its SKU', () => {
  // [platform-38] [catalog-2] [catalog-4] [catalog-11]
  it('has every default, and empty values in the fields that come from variants and stock', async () => {
    const { client, brandId } = await apps.newBrand();
    const { status, json } = await client.create('/catalog/products', { sku: 'ONLY' });
    assert.equal(status, 201);
    const { id, tu_id, created_at, updated_at, ...rest } = json;
    assert.ok(Number.isInteger(id) && id > 0);
    assert.match(tu_id, /^[A-Za-z0-9_-]{21}$/);
    assert.match(created_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    assert.equal(updated_at, created_at);
    assert.deepEqual(rest, {
      brand_id: brandId,
      sku: 'ONLY',
      type: 'simple',
      title: 'ONLY',
      short_description: null,
      default_language: 'en',
      versions: {},
      price_value: 0,
      price_currency: 'EUR',
      tax_class: 'standard',
      is_active: false,
      profile: null,
      has_variants: false,
      price_range: null,
      availability: { status: null },
      stock_summary: { total_quantity: 0, total_reserved: 0 },
      axes: [],
      variants: [],
    });
  });

  // [catalog-11]
  it('uses the currency and language that its brand has at that time', async () => {
    const { client, brandId } = await apps.newBrand({
      settings: { currency: 'SEK', default_language: 'sv' },
    });
    const before = await client.create('/catalog/products', { sku: 'BEFORE' });
    assert.deepEqual([before.json.price_currency, before.json.default_language], ['SEK', 'sv']);

    await apps.admin.patch(`/brands/${brandId}`, { settings: { currency: 'NOK', default_language: 'nb' } });
    const after = await client.create('/catalog/products', { sku: 'AFTER' });
    assert.deepEqual([after.json.price_currency, after.json.default_language], ['NOK', 'nb']);
    const again = await client.get(`/catalog/products/${before.json.tu_id}`);
    assert.deepEqual([again.json.price_currency, again.json.default_language], ['SEK', 'sv']);
  });
});

// [catalog-12]
describe('a product that is created without a title', async () => {
  const { client } = await apps.newBrand({ settings: { default_language: 'fr' } });
  const versions = { fr: { title: 'Chemise' }, en: { title: 'Shirt' } };

  it('gets the title of the translation in its default language', async () => {
    const own = await client.create('/catalog/products', { sku: 'T1', versions, default_language: 'en' });
    assert.equal(own.json.title, 'Shirt');
    const ofBrand = await client.create('/catalog/products', { sku: 'T2', versions });
    assert.equal(ofBrand.json.title, 'Chemise');
  });

  it('gets its SKU as title if that translation has no title', async () => {
    const none = await client.create('/catalog/products', { sku: 'T3', versions, default_language: 'de' });
    assert.equal(none.json.title, 'T3');
    const textOnly = { fr: { short_description: 'En lin' } };
    const untitled = await client.create('/catalog/products', { sku: 'T4', versions: textOnly });
    assert.equal(untitled.json.title, 'T4');
  });
});

describe('a product that is created with every field', async () => {
  const { client } = await apps.newBrand();
  const given = {
    sku: 'FULL',
    title: 'Organic tee',
    type: 'simple',
    price_value: 24.9,
    price_currency: 'CHF',
    tax_class: 'reduced',
    short_description: 'Heavy cotton.',
    is_active: true,
    default_language: 'de-CH',
    versions: { 'fr-CH': { title: 'T-shirt bio', short_description: '' }, it: {} },
  };

  it('shows the given values, both in the response and when it is read', async () => {
    const created = await client.create('/catalog/products', given);
    assert.equal(created.status, 201);
    assert.partialDeepStrictEqual(created.json, given);
    assert.deepEqual(created.json.versions, given.versions);
    const read = await client.get(`/catalog/products/${created.json.tu_id}`);
    assert.equal(read.status, 200);
    assert.equal(read.text, created.text);
    const list = await client.get('/catalog/products?sku=FULL');
    const { axes: _axes, variants: _variants, ...listed } = created.json;
    assert.deepEqual(list.json.data, [listed]);
  });
});

// [catalog-15]
describe('a field that cannot be set on creation', async () => {
  const { client, brandId } = await apps.newBrand();
  const unsettable = {
    stock_count: 5,
    stock_type: 'limited',
    media: [{}],
    categories: 'x',
    markets: null,
    id: 4,
    tu_id: 'V1StGXR8_Z5jdHi6B-myT',
    brand_id: brandId + 1,
    profile: {},
    has_variants: true,
    price_range: { min: 1 },
    availability: { status: 'in_stock' },
    stock_summary: { total_quantity: 9 },
    axes: [{ code: 'size' }],
    variants: [{}],
    created_at: '2001-01-01T00:00:00Z',
    updated_at: '2001-01-01T00:00:00Z',
    unknown: true,
  };

  it('is silently ignored, for values of any type', async () => {
    const with_ = await client.create('/catalog/products', { sku: 'WITH', ...unsettable });
    const without = await client.create('/catalog/products', { sku: 'WITHOUT' });
    assert.equal(with_.status, 201);
    const comparable = ({
      id,
      tu_id,
      sku,
      title,
      created_at,
      updated_at,
      ...rest
    }: Record<string, unknown>) => rest;
    assert.deepEqual(comparable(with_.json), comparable(without.json));
    assert.ok(!('stock_count' in with_.json) && !('stock_type' in with_.json));
    assert.notEqual(with_.json.tu_id, unsettable.tu_id);
  });
});

describe('the lengths of texts', async () => {
  const { client } = await apps.newBrand();

  // [catalog-9] [catalog-10]
  it('count characters, not bytes or halves of characters', async () => {
    const given = {
      sku: '😀'.repeat(191),
      title: '😀'.repeat(255),
      short_description: '😀'.repeat(5000),
      tax_class: '😀'.repeat(64),
      versions: { en: { title: 'é'.repeat(255), short_description: '漢'.repeat(5000) } },
    };
    const created = await client.create('/catalog/products', given);
    assert.equal(created.status, 201, created.text.slice(0, 300));
    assert.partialDeepStrictEqual(created.json, given);
  });
});
