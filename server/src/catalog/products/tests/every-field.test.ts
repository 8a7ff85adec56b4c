import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { CreateProductBody, UpdateProductBody } from '../product-wire.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const products = '/catalog/products';

/** A value for each field that differs from the default where another is valid; the test fails for a field without one. */
const valuesOf = (text: string) => ({
  sku: `${text} sku`,
  type: 'simple',
  title: `${text} title`,
  short_description: `${text} description`,
  default_language: 'ja',
  versions: { ja: { title: `${text} title`, short_description: `${text} description` } },
  price_value: 12.3456,
  price_currency: 'JPY',
  tax_class: `${text} class`,
  is_active: true,
});

async function assertStored(path: string, values: Record<string, unknown>): Promise<void> {
  assert.partialDeepStrictEqual((await client.get(path)).json, values);
  const listed = (await client.get(`${products}?sku=${encodeURIComponent(String(values['sku']))}`)).json.data;
  assert.partialDeepStrictEqual(listed[0], values);
}

describe('every field that a client may write is stored', () => {
  it('by a POST, which needs a key', async () => {
    const body = valuesOf('Shared');
    for (const { properties } of [CreateProductBody, UpdateProductBody])
      assert.deepEqual(Object.keys(body).sort(), Object.keys(properties).sort());
    const { status, json } = await client.create(products, body);
    assert.equal(status, 201);
    assert.partialDeepStrictEqual(json, body);
    await assertStored(`${products}/${json.tu_id}`, body);
    assertRefused(await client.post(products, { ...body, sku: 'NO KEY' }), 'idempotency_key_required');
  });

  for (const [what, headers] of [
    ['without a key', {}],
    ['with a key', { 'idempotency-key': 'every-field' }],
  ] as const)
    it(`by a PATCH ${what}, together and one by one`, async () => {
      const values = valuesOf(`Patched ${what}`);
      const newPath = async (sku: string) =>
        `${products}/${(await client.create(products, { sku })).json.tu_id}`;
      for (const [field, value] of Object.entries(values)) {
        const path = await newPath(`${what} ${field}`);
        const sku = field === 'sku' ? `${value} alone` : `${what} ${field}`;
        const sent = field === 'sku' ? sku : value;
        const key = 'idempotency-key' in headers ? { 'idempotency-key': `every-field-${field}` } : {};
        const { status, text } = await client.patch(path, { [field]: sent }, key);
        assert.equal(status, 200, text);
        await assertStored(path, { sku, [field]: sent });
      }
      const path = await newPath(`${what} all`);
      const { json } = await client.patch(path, values, headers);
      assert.partialDeepStrictEqual(json, values);
      await assertStored(path, values);
    });
});
