import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import type { Database } from '../../../postgres/database.ts';
import type { Statement } from '../../../postgres/statement.ts';
import { getProductStock } from '../../products/get-product-stock.ts';
import { newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';
import { adjusted, newLocation, newSimple, newStockedParent, setAsFeed, stockOf } from './stock.ts';

const apps = await createTestApps();

describe('the stock of a product', () => {
  it('of a simple product consists of its own levels by location and their sums', async () => {
    const { client, brandId } = await apps.newBrand();
    for (const code of ['B', 'A']) await newLocation(client, code);
    const { tu_id, sku } = await newSimple(client);
    assert.deepEqual(await stockOf(client, tu_id), {
      product_tu_id: tu_id,
      sku,
      has_variants: false,
      availability: { status: null, quantity: 0 },
      levels: [],
      variants: [],
    });
    const b = await adjusted(client, tu_id, { location: 'B', quantity: 4 });
    await setAsFeed(apps, brandId, {
      sku,
      location: 'A',
      quantity: 9,
      reserved: 3,
      updatedAt: '2026-01-01T00:00:00Z',
    });
    const stock = await stockOf(client, tu_id);
    assert.deepEqual(stock.availability, { status: 'in_stock', quantity: 10 });
    assert.equal(stock.levels.length, 2);
    assert.deepEqual(stock.levels[1], b.level);
    const { location, quantity, reserved, available, source_updated_at } = stock.levels[0];
    assert.deepEqual(
      [location, quantity, reserved, available, source_updated_at],
      ['A', 9, 3, 6, '2026-01-01T00:00:00.000Z'],
    );
  });

  // [catalog-83]
  it('of a parent consists of every live variant by position, with its axis values, availability and levels', async () => {
    const { client } = await apps.newBrand({ settings: { low_stock_threshold: 3 } });
    await newLocation(client, 'WH');
    await newAxes(client, { size: ['s', 'm'], color: ['red'] });
    const product = await newParent(client, { size: ['s', 'm'], color: ['red'] }, { sku: 'TEE' });
    const m = await newVariant(client, product.tu_id, {
      sku: 'TEE-M',
      axis_values: { size: 'm', color: 'red' },
      is_active: true,
    });
    const s = await newVariant(client, product.tu_id, {
      sku: 'TEE-S',
      axis_values: { size: 's', color: 'red' },
    });
    const inWarehouse = await adjusted(client, product.tu_id, {
      variant: m.tu_id,
      location: 'WH',
      quantity: 2,
    });
    const atDefault = await adjusted(client, product.tu_id, { variant: m.tu_id, quantity: 1 });
    const inactive = await adjusted(client, product.tu_id, { variant: s.tu_id, quantity: 50 });
    assert.deepEqual(await stockOf(client, product.tu_id), {
      product_tu_id: product.tu_id,
      sku: 'TEE',
      has_variants: true,
      availability: { status: 'low_stock', quantity: 3 },
      levels: [],
      variants: [
        {
          tu_id: m.tu_id,
          sku: 'TEE-M',
          axis_values: { size: 'm', color: 'red' },
          is_active: true,
          availability: { status: 'low_stock', quantity: 3 },
          levels: [inWarehouse.level, atDefault.level],
        },
        {
          tu_id: s.tu_id,
          sku: 'TEE-S',
          axis_values: { size: 's', color: 'red' },
          is_active: false,
          availability: { status: 'in_stock', quantity: 50 },
          levels: [inactive.level],
        },
      ],
    });
  });

  // [catalog-84]
  it('is filtered by location in its levels and by variant in its variants; availability covers the whole', async () => {
    const { client } = await apps.newBrand();
    for (const code of ['A', 'B']) await newLocation(client, code);
    const { product, variants } = await newStockedParent(client, 'P', 2);
    for (const { tu_id: variant } of variants)
      for (const location of ['A', 'B'])
        await adjusted(client, product.tu_id, { variant, location, quantity: 10 });
    const whole = await stockOf(client, product.tu_id);
    const atA = await stockOf(client, product.tu_id, '?location=A');
    assert.deepEqual(atA.availability, whole.availability);
    for (const [index, variant] of atA.variants.entries()) {
      assert.deepEqual(variant.availability, { status: 'in_stock', quantity: 20 });
      assert.deepEqual(variant.levels, [whole.variants[index].levels[0]]);
    }
    const one = await stockOf(client, product.tu_id, `?variant=${variants[1].tu_id}`);
    assert.deepEqual(one, { ...whole, variants: [whole.variants[1]] });
    const both = await stockOf(client, product.tu_id, `?variant=${variants[1].tu_id}&location=B`);
    assert.deepEqual(both.variants, [{ ...whole.variants[1], levels: [whole.variants[1].levels[1]] }]);
    const nowhere = await stockOf(client, product.tu_id, '?location=NONE');
    assert.deepEqual(
      nowhere.variants.map(({ levels }: { levels: unknown[] }) => levels.length),
      [0, 0],
    );
    assert.deepEqual(nowhere.availability, whole.availability);
    for (const variant of ['NONE', '', product.tu_id])
      assert.deepEqual(await stockOf(client, product.tu_id, `?variant=${variant}`), {
        ...whole,
        variants: [],
      });
  });

  // [catalog-7] [catalog-78]
  it('excludes deleted variants, and still includes the own stock of a product that became a parent', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'P', 2);
    await adjusted(client, product.tu_id, { variant: variants[0].tu_id, quantity: 5 });
    await ok(client.delete(`/catalog/variants/${variants[0].tu_id}`), 204);
    const stock = await stockOf(client, product.tu_id);
    assert.deepEqual(
      stock.variants.map(({ sku }: { sku: string }) => sku),
      ['P-2'],
    );
    assert.deepEqual(stock.availability, { status: null, quantity: 0 });
    const gone = await stockOf(client, product.tu_id, `?variant=${variants[0].tu_id}`);
    assert.deepEqual(gone.variants, []);

    await newAxes(client, { late: ['x'] });
    const late = await newParent(client, { late: ['x'] }, { sku: 'LATE' });
    const { level } = await adjusted(client, late.tu_id, { quantity: 7 });
    await newVariant(client, late.tu_id, { sku: 'LATE-X', axis_values: { late: 'x' }, is_active: true });
    const both = await stockOf(client, late.tu_id);
    assert.deepEqual([both.levels, both.availability], [[level], { status: null, quantity: 0 }]);
    const summary = (await ok(client.get(`/catalog/products/${late.tu_id}`))).stock_summary;
    assert.equal(summary.total_quantity, 7);
  });

  it('takes one statement for 1 variant and for 120', async () => {
    const { client, brandId } = await apps.newBrand();
    const counts = [];
    for (const [sku, count] of [
      ['ONE', 1],
      ['MANY', 120],
    ] as const) {
      const { product, variants } = await newStockedParent(client, sku, count);
      for (const { tu_id: variant } of variants)
        await adjusted(client, product.tu_id, { variant, quantity: 1 });
      let statements = 0;
      const counting = {
        run: (statement: Statement<unknown>) => {
          statements += 1;
          return apps.database.run(statement);
        },
      } as unknown as Database;
      const stock = await getProductStock(counting, brandId, product.tu_id, {});
      assert.equal(stock.variants.length, count);
      assert.equal((await stockOf(client, product.tu_id)).availability.quantity, count);
      counts.push(statements);
    }
    assert.deepEqual(counts, [1, 1]);
  });

  it('adds up in every response while 100 adjustments run', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'MOVING', 3);
    const reads = [];
    const writes = [];
    for (let n = 0; n < 100; n += 1) {
      const variant = variants[n % 3].tu_id;
      writes.push(adjusted(client, product.tu_id, { variant, quantity: (n * 7) % 30 }));
      if (n % 4 === 0) reads.push(stockOf(client, product.tu_id));
    }
    await Promise.all(writes);
    for (const { availability, variants: shown } of await Promise.all(reads)) {
      let sum = 0;
      for (const variant of shown) {
        const own = variant.levels.reduce(
          (total: number, level: { available: number }) => total + level.available,
          0,
        );
        assert.equal(variant.availability.quantity, own);
        sum += own;
      }
      assert.equal(availability.quantity, sum);
    }
  });

  it('refuses a location that no text can be', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    assertRefused(await client.get(`/catalog/products/${tu_id}/stock?location=%00`), 'validation_failed', [
      'location',
    ]);
  });
});
