import assert from 'node:assert/strict';
import type { Brandport } from '../src/index.ts';

/** A write, and the question back that proves how often it happened. */
export interface WriteCase {
  /** Creates what the write needs; returns the ids that `write` and `effects` receive. */
  prepare(brandport: Brandport): Promise<string>;
  write(brandport: Brandport, id: string): PromiseLike<unknown>;
  /** Asserts that the write happened exactly once. */
  assertOneEffect(brandport: Brandport, id: string): Promise<void>;
}

const nothing = async () => '';

async function axisWithValue(brandport: Brandport): Promise<string> {
  await brandport.catalog.axes.create({ code: 'color', values: [{ value: 'red' }, { value: 'blue' }] });
  return 'color';
}

async function product(brandport: Brandport): Promise<string> {
  return (await brandport.catalog.products.create({ sku: 'TEE', title: 'before' })).tu_id;
}

async function selected(brandport: Brandport): Promise<string> {
  const code = await axisWithValue(brandport);
  const id = await product(brandport);
  await brandport.catalog.products.replaceAxes(id, { axes: [{ code, values: ['red', 'blue'] }] });
  return id;
}

async function variant(brandport: Brandport): Promise<string> {
  const body = { sku: 'TEE-R', axis_values: { color: 'red' } };
  return (await brandport.catalog.variants.create(await selected(brandport), body)).tu_id;
}

async function location(brandport: Brandport): Promise<string> {
  return (await brandport.catalog.locations.create({ external_code: 'hall' })).external_code;
}

async function skus(brandport: Brandport): Promise<(string | null)[]> {
  return (await brandport.catalog.products.list({ sort: 'sku' }).toArray()).map(({ sku }) => sku);
}

async function axisValues(brandport: Brandport): Promise<string[]> {
  const [axis] = await brandport.catalog.axes.list().toArray();
  return (axis?.values ?? []).map(({ value, label }) => (label === null ? value : `${value}: ${label}`));
}

/** Every write of the catalog, by its operation. */
export const writeCases: Readonly<Record<string, WriteCase>> = {
  createProduct: {
    prepare: nothing,
    write: ({ catalog }) => catalog.products.create({ sku: 'TEE' }),
    assertOneEffect: async (brandport) => assert.deepEqual(await skus(brandport), ['TEE']),
  },
  updateProduct: {
    prepare: product,
    write: ({ catalog }, id) => catalog.products.update(id, { title: 'after', sku: 'TEE-2' }),
    assertOneEffect: async (brandport, id) => {
      assert.equal((await brandport.catalog.products.get(id)).title, 'after');
      assert.deepEqual(await skus(brandport), ['TEE-2']);
    },
  },
  createAxis: {
    prepare: nothing,
    write: ({ catalog }) => catalog.axes.create({ code: 'size' }),
    assertOneEffect: async ({ catalog }) => assert.equal((await catalog.axes.list().first()).meta.total, 1),
  },
  updateAxis: {
    prepare: axisWithValue,
    write: ({ catalog }, code) => catalog.axes.update(code, { label: 'after' }),
    assertOneEffect: async ({ catalog }) =>
      assert.equal((await catalog.axes.list().toArray())[0]?.label, 'after'),
  },
  deleteAxis: {
    prepare: axisWithValue,
    write: ({ catalog }, code) => catalog.axes.delete(code),
    assertOneEffect: async ({ catalog }) => assert.equal((await catalog.axes.list().first()).meta.total, 0),
  },
  createAxisValue: {
    prepare: axisWithValue,
    write: ({ catalog }, code) => catalog.axes.createValue(code, { value: 'green' }),
    assertOneEffect: async (brandport) =>
      assert.deepEqual(await axisValues(brandport), ['red', 'blue', 'green']),
  },
  updateAxisValue: {
    prepare: axisWithValue,
    write: ({ catalog }, code) => catalog.axes.updateValue(code, 'red', { label: 'after' }),
    assertOneEffect: async (brandport) =>
      assert.deepEqual(await axisValues(brandport), ['red: after', 'blue']),
  },
  deleteAxisValue: {
    prepare: axisWithValue,
    write: ({ catalog }, code) => catalog.axes.deleteValue(code, 'red'),
    assertOneEffect: async (brandport) => assert.deepEqual(await axisValues(brandport), ['blue']),
  },
  replaceProductAxes: {
    prepare: selected,
    write: ({ catalog }, id) =>
      catalog.products.replaceAxes(id, { axes: [{ code: 'color', values: ['red'] }] }),
    assertOneEffect: async ({ catalog }, id) => {
      const { data } = await catalog.products.getAxes(id);
      assert.deepEqual(
        data.map(({ values }) => values.map(({ value }) => value)),
        [['red']],
      );
    },
  },
  createVariant: {
    prepare: selected,
    write: ({ catalog }, id) => catalog.variants.create(id, { sku: 'TEE-R', axis_values: { color: 'red' } }),
    assertOneEffect: async ({ catalog }, id) =>
      assert.equal((await catalog.variants.list(id).first()).meta.total, 1),
  },
  generateVariants: {
    prepare: selected,
    write: async ({ catalog }, id) => assert.equal((await catalog.variants.generate(id)).created, 2),
    assertOneEffect: async ({ catalog }, id) =>
      assert.equal((await catalog.variants.list(id).first()).meta.total, 2),
  },
  updateVariant: {
    prepare: variant,
    write: ({ catalog }, id) => catalog.variants.update(id, { sku: 'TEE-RED' }),
    assertOneEffect: async ({ catalog }) => {
      const [parent] = await catalog.products.list().toArray();
      const read = await catalog.products.get(parent?.tu_id ?? '');
      assert.deepEqual(
        read.variants.map(({ sku }) => sku),
        ['TEE-RED'],
      );
    },
  },
  deleteVariant: {
    prepare: variant,
    write: ({ catalog }, id) => catalog.variants.delete(id),
    assertOneEffect: async ({ catalog }) => {
      const [parent] = await catalog.products.list().toArray();
      assert.equal(parent?.has_variants, false);
    },
  },
  createStockLocation: {
    prepare: nothing,
    write: ({ catalog }) => catalog.locations.create({ external_code: 'hall' }),
    assertOneEffect: async ({ catalog }) =>
      assert.equal((await catalog.locations.list().first()).meta.total, 1),
  },
  updateStockLocation: {
    prepare: location,
    write: ({ catalog }, code) => catalog.locations.update(code, { name: 'after' }),
    assertOneEffect: async ({ catalog }) =>
      assert.equal((await catalog.locations.list().toArray())[0]?.name, 'after'),
  },
  adjustStock: {
    prepare: product,
    // A second execution would be refused, since the quantity is no longer 0.
    write: ({ catalog }, id) => catalog.stock.adjust(id, { quantity: 5, expected_quantity: 0 }),
    assertOneEffect: async ({ catalog }, id) => {
      const movements = await catalog.stock.movements(id).toArray();
      assert.deepEqual(
        movements.map(({ quantity_after: after }) => after),
        [5],
      );
    },
  },
};
