import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { CreateProductBody, UpdateProductBody } from '../product-wire.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const products = '/catalog/products';

interface FieldSchema {
  readonly type: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly propertyNames?: { readonly format?: string };
}

const byFormat: Readonly<Record<string, string>> = { 'iso-4217': 'JPY', 'bcp-47': 'ja' };

/** Returns a value that differs from what a product has by default, except where only one is valid. */
function sampleOf(name: string, schema: FieldSchema, text: string): unknown {
  const [type] = [schema.type].flat();
  if (schema.enum !== undefined) return schema.enum.at(-1);
  if (type === 'boolean') return true;
  if (type === 'number') return 12.3456;
  if (type === 'string') return byFormat[schema.format ?? ''] ?? `${text} ${name}`;
  if (type === 'object' && schema.propertyNames?.format === 'bcp-47')
    return { ja: { title: `${text} title`, short_description: `${text} description` } };
  throw new Error(`say in this test which value ${name} can have`);
}

/** A value for each field of a body, as its schema lists them. */
function valuesOf({ properties }: { readonly properties: Readonly<Record<string, TSchema>> }, text: string) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      sampleOf(name, schema as unknown as FieldSchema, text),
    ]),
  );
}

async function assertStored(path: string, values: Record<string, unknown>): Promise<void> {
  assert.partialDeepStrictEqual((await client.get(path)).json, values);
  const listed = (await client.get(`${products}?sku=${encodeURIComponent(String(values['sku']))}`)).json.data;
  assert.partialDeepStrictEqual(listed[0], values);
}

describe('every field that a client may write is stored', () => {
  it('by a POST, which needs a key', async () => {
    const body = valuesOf(CreateProductBody, 'Shared');
    assert.ok(Object.keys(body).length >= 10);
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
      const values = valuesOf(UpdateProductBody, `Patched ${what}`);
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
