import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAxes, newVariant, ok, selecting } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
await newAxes(client, { size: ['m'] });

async function create(sku: string, isActive: boolean): Promise<{ tu_id: string }> {
  return (await client.create('/catalog/products', { sku, is_active: isActive })).json;
}

/** Gives a product a live variant, or deletes it. */
async function setVariants(tuId: string, count: 0 | 1): Promise<void> {
  if (count === 1) {
    await ok(client.put(`/catalog/products/${tuId}/axes`, selecting({ size: ['m'] })));
    await newVariant(client, tuId, { sku: `${tuId}-m`, axis_values: { size: 'm' } });
    return;
  }
  const { data } = await ok(client.get(`/catalog/products/${tuId}/variants`));
  await ok(client.delete(`/catalog/variants/${data[0].tu_id}`), 204);
}

/** Asserts that the totals of the lists equal a count, for every combination of the filters. */
async function assertTotals(): Promise<void> {
  for (const active of [undefined, true, false])
    for (const variants of [undefined, true, false]) {
      const query = new URLSearchParams({
        ...(active !== undefined && { is_active: String(active) }),
        ...(variants !== undefined && { has_variants: String(variants) }),
      });
      const [counted] = await apps.sql<{ total: number }>(
        `select count(*)::integer as total from products
         where brand_id = $1 and ($2::boolean is null or is_active = $2) and ($3::boolean is null or has_variants = $3)`,
        [brandId, active ?? null, variants ?? null],
      );
      const { json } = await client.get(`/catalog/products?${query}`);
      assert.equal(json.meta.total, counted?.total, query.toString());
      assert.equal(json.data.length, counted?.total, query.toString());
    }
}

const patch = (tuId: string, isActive: boolean) =>
  client.patch(`/catalog/products/${tuId}`, { is_active: isActive });

describe('the total of a product list', () => {
  it('equals a count, after every kind of change', async () => {
    await assertTotals();
    const active = await create('ACTIVE', true);
    const archived = await create('ARCHIVED', false);
    const parent = await create('PARENT', true);
    const archivedParent = await create('ARCHIVED-PARENT', false);
    await assertTotals();
    for (const { tu_id } of [parent, archivedParent]) await setVariants(tu_id, 1);
    await assertTotals();

    for (const { tu_id } of [active, parent]) await patch(tu_id, false);
    await assertTotals();
    for (const { tu_id } of [archived, archivedParent]) await patch(tu_id, true);
    await assertTotals();
    for (const { tu_id } of [active, archived, parent, archivedParent]) await patch(tu_id, true);
    await assertTotals();
    for (const { tu_id } of [parent, archivedParent]) await setVariants(tu_id, 0);
    await assertTotals();
  });

  it('stays the same when a write changes nothing or is refused', async () => {
    const { tu_id } = await create('STILL', true);
    await patch(tu_id, true);
    await client.patch(`/catalog/products/${tu_id}`, { title: 'x', price_value: 4 });
    await client.patch(`/catalog/products/${tu_id}`, { is_active: false, sku: 'ACTIVE' });
    await client.patch(`/catalog/products/${tu_id}`, { is_active: null });
    await client.create('/catalog/products', { sku: 'STILL', is_active: true });
    await client.post('/catalog/products', { sku: 'NO-KEY', is_active: true });
    await assertTotals();
  });

  it('is exact after many concurrent changes, in both directions', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, i) => create(`MANY-${i}`, i % 2 === 0)));
    await Promise.all(
      made.flatMap(({ tu_id }, i) => [
        patch(tu_id, i % 3 === 0),
        patch(tu_id, i % 3 !== 0),
        create(`MORE-${i % 5}`, true),
      ]),
    );
    await assertTotals();
  });

  it('equals the number of listed rows for filters without a counter', async () => {
    const { json } = await client.get('/catalog/products?updated_since=2001-01-01T00:00:00Z&per_page=4');
    const unfiltered = await client.get('/catalog/products?per_page=4');
    assert.deepEqual(json.meta, unfiltered.json.meta);
  });
});
