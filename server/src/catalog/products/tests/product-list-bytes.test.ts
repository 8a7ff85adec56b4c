import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ProductListItemWire } from '../product-wire.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();

/** Texts that a format of rows could take for its own marks, or JSON for the end of a string. */
const texts = [
  'plain',
  ',',
  '\n',
  '\t"\\/',
  '1,2,3,',
  'é ü ß',
  '😀,😀',
  '\u2028\u2029\u007f',
  '{"a": [1]}',
  '<&>',
];
const prices = [0, 0.0001, 0.1, 19.9, 1, 10, 1_000_000, 99_999_999_999.9999, 123_456.78, 5];

test('a list is written to the byte as its values are stored', async () => {
  for (const [n, title] of texts.entries())
    await client.create('/catalog/products', {
      sku: `B-${n}-${title.trim() === '' ? n : title.trim()}`,
      title,
      ...(n % 3 > 0 && { short_description: n % 3 === 1 ? '' : title.repeat(3) }),
      price_value: prices[n],
      is_active: n % 2 === 0,
      versions: n % 2 === 0 ? {} : { 'de-CH': { title }, en: {}, fr: { short_description: title } },
    });
  await apps.sql(
    `update products set created_at = timestamptz '2026-03-01 00:00:00Z' + (id % 7) * interval '1 day 1.001 seconds',
       updated_at = timestamptz '2026-03-02T23:59:59.999Z' - id * interval '100 milliseconds'
     where brand_id = $1`,
    [brandId],
  );
  const rows = await apps.sql<Record<string, unknown> & { created_at: Date; updated_at: Date }>(
    `select id::integer, tu_id, brand_id, sku, type, title, short_description, default_language, versions,
       price_value::float, price_currency, tax_class, is_active, has_variants, created_at, updated_at
     from products where brand_id = $1 order by updated_at desc, id desc`,
    [brandId],
  );
  const data = rows.map(({ is_active, has_variants, created_at, updated_at, tax_class, ...row }) => ({
    ...row,
    tax_class,
    is_active,
    profile: null,
    has_variants,
    price_range: null,
    availability: { status: null },
    stock_summary: { total_quantity: 0, total_reserved: 0 },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }));
  const meta = { current_page: 1, per_page: 50, total: texts.length, last_page: 1 };
  const { text } = await client.get('/catalog/products');
  assert.equal(text, JSON.stringify({ data, meta }));
  assert.deepEqual(Object.keys(JSON.parse(text).data[0]), Object.keys(ProductListItemWire.properties));
});

test('an item of the list and the detail of the same product agree to the byte', async () => {
  const { json } = await client.get('/catalog/products');
  for (const item of json.data) {
    const { text } = await client.get(`/catalog/products/${item.tu_id}`);
    assert.ok(text.startsWith(JSON.stringify(item).slice(0, -1)), text);
  }
});
