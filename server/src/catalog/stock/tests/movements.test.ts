import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { adjusted, newLocation, newSimple, newStockedParent, setAsFeed } from './stock.ts';

const apps = await createTestApps();

const path = (tuId: string, query = '') => `/catalog/products/${tuId}/stock/movements${query}`;

async function steps(client: ApiClient, tuId: string, query = ''): Promise<string[]> {
  const { data } = await ok(client.get(path(tuId, query)));
  return data.map(
    (row: Record<string, unknown>) =>
      `${row['sku']}@${row['location']} ${row['quantity_before']}>${row['quantity_after']} ${row['reason']}`,
  );
}

describe('the movement ledger of a product', () => {
  // [catalog-82]
  it('shows the newest first, of adjustments and feeds, of the product and its variants', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'WH');
    const { product, variants } = await newStockedParent(client, 'P', 2);
    const [one, two] = variants.map(({ tu_id }: { tu_id: string }) => tu_id);
    await adjusted(client, product.tu_id, { variant: one, quantity: 5 });
    await setAsFeed(apps, brandId, {
      sku: 'P-2',
      location: 'WH',
      quantity: 7,
      updatedAt: '2026-01-01T00:00:00Z',
    });
    await adjusted(client, product.tu_id, { variant: two, location: 'WH', quantity: 6 });
    const { movement } = await adjusted(client, product.tu_id, { variant: one, quantity: 0 });
    const { data, meta } = await ok(client.get(path(product.tu_id)));
    assert.deepEqual(meta, { current_page: 1, per_page: 50, total: 4, last_page: 1 });
    assert.deepEqual(data[0], movement);
    const ids = data.map(({ id }: { id: number }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => b - a),
    );
    assert.deepEqual(await steps(client, product.tu_id), [
      'P-1@__default__ 5>0 manual',
      'P-2@WH 7>6 manual',
      'P-2@WH 0>7 feed',
      'P-1@__default__ 0>5 manual',
    ]);
    assert.deepEqual(
      data.map((row: Record<string, unknown>) => [row['variant_tu_id'], row['actor']]),
      [
        [one, null],
        [two, null],
        [two, null],
        [one, null],
      ],
    );
    assert.equal(data[2].note, 'feed:test');
  });

  // [catalog-81] [catalog-82]
  it('filters by location and variant; unknown, foreign and another product’s ones give an empty result', async () => {
    const { client } = await apps.newBrand();
    for (const code of ['A', 'B', 'EMPTY']) await newLocation(client, code);
    const { product, variants } = await newStockedParent(client, 'P', 2);
    const sibling = await newStockedParent(client, 'SIBLING', 1);
    const theirs = await newStockedParent((await apps.newBrand()).client, 'P', 1);
    const [one, two] = variants.map(({ tu_id }: { tu_id: string }) => tu_id);
    for (const [variant, location] of [
      [one, 'A'],
      [one, 'B'],
      [two, 'A'],
    ])
      await adjusted(client, product.tu_id, { variant, location, quantity: 1 });
    await adjusted(client, sibling.product.tu_id, {
      variant: sibling.variants[0].tu_id,
      location: 'A',
      quantity: 1,
    });
    const found = (query: string) => steps(client, product.tu_id, query);
    assert.deepEqual(await found('?location=A'), ['P-2@A 0>1 manual', 'P-1@A 0>1 manual']);
    assert.deepEqual(await found(`?variant=${one}`), ['P-1@B 0>1 manual', 'P-1@A 0>1 manual']);
    assert.deepEqual(await found(`?variant=${one}&location=A`), ['P-1@A 0>1 manual']);
    const none = ['NONE', 'EMPTY', 'a', ''].map((code) => `?location=${code}`);
    none.push(
      ...[sibling.variants[0].tu_id, theirs.variants[0].tu_id, 'x', ''].map((id) => `?variant=${id}`),
    );
    for (const query of none) {
      const list = await ok(client.get(path(product.tu_id, query)));
      assert.deepEqual([list.data, list.meta.total, list.meta.last_page], [[], 0, 1], query);
    }
  });

  it('pages without skipping or repeating, with and without a filter', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    for (let quantity = 1; quantity <= 7; quantity += 1) await adjusted(client, tu_id, { quantity });
    for (const filter of ['', '&location=__default__']) {
      const after: number[] = [];
      for (const page of [1, 2, 3]) {
        const { data, meta } = await ok(client.get(path(tu_id, `?per_page=3&page=${page}${filter}`)));
        assert.deepEqual(meta, { current_page: page, per_page: 3, total: 7, last_page: 3 });
        after.push(...data.map((row: { quantity_after: number }) => row.quantity_after));
      }
      assert.deepEqual(after, [7, 6, 5, 4, 3, 2, 1]);
    }
  });

  // [catalog-78]
  it('keeps the SKU of the time of each movement, and the movements of deleted variants', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'P', 2);
    const variant = variants[0].tu_id;
    await adjusted(client, product.tu_id, { variant, quantity: 1 });
    await ok(client.patch(`/catalog/variants/${variant}`, { sku: 'NEW' }));
    await adjusted(client, product.tu_id, { variant, quantity: 2 });
    await ok(client.delete(`/catalog/variants/${variant}`), 204);
    const kept = ['NEW@__default__ 1>2 manual', 'P-1@__default__ 0>1 manual'];
    assert.deepEqual(await steps(client, product.tu_id), kept);
    assert.deepEqual(await steps(client, product.tu_id, `?variant=${variant}`), kept);
  });

  it('refuses invalid queries', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    assertRefused(await client.get(path(tu_id, '?page=0')), 'validation_failed', ['page']);
    assertRefused(await client.get(path(tu_id, '?variant=%00')), 'validation_failed', ['variant']);
    assert.deepEqual((await ok(client.get(path(tu_id)))).data, []);
  });
});
