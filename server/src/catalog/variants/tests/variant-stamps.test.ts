import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAxes, newParent, newVariant, ok, selecting } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
await newAxes(client, { color: ['red', 'blue', 'green'] });
const product = await newParent(client, { color: ['red', 'blue'] });
const variant = await newVariant(client, product.tu_id, { sku: 'RED', axis_values: { color: 'red' } });

/** Returns the stamp of the brand's last change: each is later than the one before, in the order of commits. */
async function lastStamp(): Promise<string> {
  const [row] = await apps.sql<{ changed_at: Date }>(
    'select changed_at from brand_catalogs where brand_id = $1',
    [brandId],
  );
  return row?.changed_at.toISOString() ?? '';
}

const path = `/catalog/products/${product.tu_id}`;
const variantPath = `/catalog/variants/${variant.tu_id}`;

// [catalog-25]
describe('the updated_at of a product carries the brand’s stamp of', () => {
  const changes: [what: string, change: () => Promise<{ status: number }>][] = [
    ['a selection', () => client.put(`${path}/axes`, selecting({ color: ['red', 'blue', 'green'] }))],
    [
      'a new variant',
      () => client.create(`${path}/variants`, { sku: 'BLUE', axis_values: { color: 'blue' } }),
    ],
    ['a generation', () => client.create(`${path}/variants/generate`)],
    ['a change of a variant’s barcode', () => client.patch(variantPath, { barcode: '1' })],
    ['a change of a variant’s price', () => client.patch(variantPath, { price: { value: 1 } })],
    ['a deletion', () => client.delete(variantPath)],
  ];
  for (const [what, change] of changes)
    it(what, async () => {
      const before = await ok(client.get(path));
      assert.ok((await change()).status < 300);
      const { updated_at, created_at } = await ok(client.get(path));
      assert.equal(updated_at, await lastStamp());
      assert.ok(updated_at > before.updated_at);
      assert.equal(created_at, before.created_at);
      const since = await ok(client.get(`/catalog/products?updated_since=${updated_at}`));
      assert.deepEqual(
        since.data.map(({ tu_id }: { tu_id: string }) => tu_id),
        [product.tu_id],
      );
    });
});
