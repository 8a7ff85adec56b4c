import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';
import { UpdateVariantBody } from '../variant-wire.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
await newAxes(client, { size: ['s', 'm', 'l', 'xl', 'xxl', '3xl'] });
const { tu_id: productTuId } = await newParent(client, { size: ['s', 'm', 'l', 'xl', 'xxl', '3xl'] });

/** A value for each field that differs from the default; this test fails for a field without one. */
const samples: Readonly<Record<string, unknown>> = {
  sku: 'ANOTHER',
  barcode: '4006381333931',
  price: { value: 12.3456 },
  is_active: true,
};
const fields = Object.keys(UpdateVariantBody.properties).filter((field) => field !== 'axis_values');

async function assertStored(tuId: string, values: Record<string, unknown>): Promise<void> {
  const { data } = await ok(client.get(`/catalog/products/${productTuId}/variants`));
  const stored = data.find(({ tu_id }: { tu_id: string }) => tu_id === tuId);
  assert.partialDeepStrictEqual(stored, values);
}

it('every field that a client may write is stored by a POST', async () => {
  assert.deepEqual(fields.sort(), Object.keys(samples).sort());
  const body = { ...samples, sku: 'CREATED', axis_values: { size: 's' } };
  const { tu_id } = await newVariant(client, productTuId, body);
  await assertStored(tu_id, body);
});

it('every field is stored by a PATCH of it alone, and of all', async () => {
  const sizes = ['m', 'l', 'xl', 'xxl', '3xl'];
  for (const [index, changes] of [
    ...fields.map((field) => ({ [field]: samples[field] })),
    samples,
  ].entries()) {
    const own = { ...changes, ...('sku' in changes && { sku: `ANOTHER-${index}` }) };
    const given = { sku: `V${index}`, axis_values: { size: sizes[index] as string } };
    const { tu_id } = await newVariant(client, productTuId, given);
    assert.partialDeepStrictEqual(await ok(client.patch(`/catalog/variants/${tu_id}`, own)), own);
    await assertStored(tu_id, { sku: given.sku, ...own });
  }
});
