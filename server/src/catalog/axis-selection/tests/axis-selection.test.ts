import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import {
  type Axes,
  catalogSoFar,
  newAxes,
  newParent,
  newVariant,
  ok,
  selecting,
} from '../../tests/new-axes.ts';

const apps = await createTestApps();
let client: ApiClient;
let path: string;
let productPath: string;
let tuId: string;

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  await newAxes(client, { color: ['red', 'blue', 'green'], size: ['s', 'm', 'l'], fit: ['slim'] });
  tuId = (await ok(client.create('/catalog/products', { sku: 'TEE' }), 201)).tu_id;
  productPath = `/catalog/products/${tuId}`;
  path = `${productPath}/axes`;
});

const select = (axes: Axes) => client.put(path, selecting(axes));
/** The served selection: axis code -> selected values. */
const selected = async () =>
  (await ok(client.get(path))).data.map((axis: { code: string; values: { value: string }[] }) => [
    axis.code,
    axis.values.map(({ value }) => value).join(),
  ]);

describe('the axis selection of a product', () => {
  it('is empty at first', async () => {
    assert.deepEqual(await ok(client.get(path)), { data: [] });
  });

  // [catalog-39] [catalog-40] [catalog-41]
  it('has its axes in the order of the request and their values in the order of the library', async () => {
    await ok(client.patch('/catalog/axes/color/values/blue', { position: 0, label: 'Blå' }));
    const answer = await ok(select({ size: ['l', 's'], color: ['red', 'blue'] }));
    const value = (name: string, position: number, label: string | null = null) => {
      return { value: name, label, position, is_active: true };
    };
    assert.deepEqual(answer, {
      data: [
        { code: 'size', label: null, position: 0, is_active: true, values: [value('s', 0), value('l', 2)] },
        {
          code: 'color',
          label: null,
          position: 1,
          is_active: true,
          // Both at position 0: the value decides.
          values: [value('blue', 0, 'Blå'), value('red', 0)],
        },
      ],
    });
    assert.deepEqual(await ok(client.get(path)), answer);
  });

  // [catalog-4]
  it('is shown on the product as axis summaries', async () => {
    await ok(client.patch('/catalog/axes/size', { label: 'Size', is_active: true }));
    await ok(select({ size: ['m'], color: ['red'] }));
    const { axes, has_variants } = await ok(client.get(productPath));
    assert.deepEqual(axes, [
      { code: 'size', label: 'Size', position: 0, values: [{ value: 'm', label: null, position: 1 }] },
      { code: 'color', label: null, position: 1, values: [{ value: 'red', label: null, position: 0 }] },
    ]);
    assert.equal(has_variants, false);
  });

  // [catalog-38]
  it('is replaced as a whole: omitted axes are detached, an empty array detaches everything', async () => {
    await ok(select({ size: ['s'], color: ['red', 'blue'] }));
    await ok(select({ color: ['green'], fit: ['slim'] }));
    assert.deepEqual(await selected(), [
      ['color', 'green'],
      ['fit', 'slim'],
    ]);
    assert.deepEqual(await ok(client.put(path, { axes: [] })), { data: [] });
    assert.deepEqual(await selected(), []);
  });

  it('belongs to one product', async () => {
    const other = await ok(client.create('/catalog/products', { sku: 'OTHER' }), 201);
    await ok(select({ color: ['red'] }));
    assert.deepEqual((await ok(client.get(`/catalog/products/${other.tu_id}/axes`))).data, []);
  });

  // [catalog-25]
  it('moves updated_at of the product on every kind of change', async () => {
    let last = (await ok(client.get(productPath))).updated_at;
    for (const axes of [
      { color: ['red'], size: ['s'] },
      { size: ['s'], color: ['red'] },
      { size: ['s'], color: ['red', 'blue'] },
      { color: ['red', 'blue'] },
      {},
    ] satisfies Axes[]) {
      await ok(select(axes));
      const { updated_at } = await ok(client.get(productPath));
      assert.ok(updated_at > last, JSON.stringify(axes));
      last = updated_at;
    }
  });

  it('set again unchanged changes nothing, not even updated_at, regardless of the order of values', async () => {
    await ok(select({ color: ['red', 'blue'], size: ['s'] }));
    const before = await catalogSoFar(apps);
    const detail = await ok(client.get(productPath));
    await ok(select({ color: ['blue', 'red'], size: ['s'] }));
    await ok(select({ color: ['red', 'blue'], size: ['s'] }));
    assert.deepEqual(await ok(client.get(productPath)), detail);
    assert.deepEqual({ ...(await catalogSoFar(apps)), versions: 0 }, { ...before, versions: 0 });
  });

  it('ignores an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'selection' };
    await ok(client.put(path, selecting({ color: ['red'] }), key));
    const answer = await client.put(path, selecting({ size: ['s'] }), key);
    assert.equal(answer.headers['idempotency-replayed'], undefined);
    assert.deepEqual(await selected(), [['size', 's']]);
  });
});

describe('a selection is refused with 422', () => {
  const refused = async (axes: Axes, fields: string[]) => {
    const before = await catalogSoFar(apps);
    assertRefused(await select(axes), 'validation_failed', fields);
    assert.deepEqual(await catalogSoFar(apps), before);
  };

  // [catalog-42]
  it('at axes.{i}.code for an unknown code, at axes.{i}.values.{j} for an unknown value', async () => {
    await refused({ color: ['red'], colour: ['red'] }, ['axes.1.code']);
    await refused({ color: ['red', 'pink', 's'], Size: ['s'] }, [
      'axes.0.values.1',
      'axes.0.values.2',
      'axes.1.code',
    ]);
  });

  it('for an axis or a value of another brand, as for an unknown one', async () => {
    const other = await apps.newBrand();
    await newAxes(other.client, { theirs: ['x'], color: ['pink'] });
    await refused({ theirs: ['x'], color: ['pink'] }, ['axes.0.code', 'axes.1.values.0']);
  });

  // [catalog-43]
  it('at the second occurrence of a code or a value', async () => {
    const axes = [
      ...selecting({ color: ['red', 'red'], size: ['s'] }).axes,
      ...selecting({ color: ['blue'] }).axes,
    ];
    assertRefused(await client.put(path, { axes }), 'validation_failed', ['axes.0.values.1', 'axes.2.code']);
  });

  // [catalog-44]
  it('for a NEW inactive axis or value, while an attached one stays', async () => {
    await ok(select({ color: ['red', 'blue'] }));
    await ok(client.patch('/catalog/axes/color', { is_active: false }));
    await ok(client.patch('/catalog/axes/color/values/red', { is_active: false }));
    await ok(client.patch('/catalog/axes/color/values/green', { is_active: false }));
    await ok(client.patch('/catalog/axes/size', { is_active: false }));
    await refused({ color: ['red', 'blue'], size: ['s'] }, ['axes.1.code']);
    await refused({ color: ['red', 'green'] }, ['axes.0.values.1']);
    const [color] = (await ok(select({ color: ['red'] }))).data;
    assert.deepEqual([color.is_active, color.values[0].is_active], [false, false]);
    // An active value can still be added to an inactive axis that is attached.
    await ok(select({ color: ['red', 'blue'] }));
    // Once removed, they count as new.
    await ok(select({ color: ['blue'] }));
    await refused({ color: ['blue', 'red'] }, ['axes.0.values.1']);
    await ok(select({}));
    await refused({ color: ['blue'] }, ['axes.0.code']);
  });

  // [catalog-45]
  it('for a new axis while the product has variants', async () => {
    await ok(select({ color: ['red', 'blue'] }));
    await newVariant(client, tuId, { sku: 'TEE-RED', axis_values: { color: 'red' } });
    await refused({ color: ['red', 'blue'], size: ['s'] }, ['axes.1.code']);
    await ok(select({ color: ['red', 'blue', 'green'] }));
  });

  // [catalog-46]
  it('on axes.{i}.values for leaving out a value that a live variant uses', async () => {
    await ok(select({ size: ['s'], color: ['red', 'blue'] }));
    const variant = await newVariant(client, tuId, {
      sku: 'TEE-S-RED',
      axis_values: { color: 'red', size: 's' },
    });
    await refused({ size: ['s'], color: ['blue'] }, ['axes.1.values']);
    await refused({ color: ['blue', 'green'], size: ['m'] }, ['axes.0.values', 'axes.1.values']);
    await ok(select({ color: ['red'], size: ['s', 'm'] }));
    assert.equal((await client.delete(`/catalog/variants/${variant.tu_id}`)).status, 204);
    await ok(select({ size: ['s'], color: ['blue'] }));
  });

  // [catalog-47]
  it('before it is refused with 409', async () => {
    await ok(select({ size: ['s'], color: ['red', 'blue'] }));
    await newVariant(client, tuId, { sku: 'TEE-S-RED', axis_values: { color: 'red', size: 's' } });
    await refused({ color: ['blue'] }, ['axes.0.values']);
    await refused({ color: ['red', 'pink'] }, ['axes.0.values.1']);
    await refused({ fit: ['slim'] }, ['axes.0.code']);
  });
});

describe('a selection is refused with axis_in_use', () => {
  // [catalog-47]
  it('for detaching an axis that a live variant still carries, and nothing changes', async () => {
    await ok(select({ size: ['s'], color: ['red'] }));
    const variant = await newVariant(client, tuId, {
      sku: 'TEE-S-RED',
      axis_values: { color: 'red', size: 's' },
    });
    const before = await catalogSoFar(apps);
    for (const axes of [{}, { color: ['red'] }, { size: ['s'] }] satisfies Axes[])
      assertRefused(await select(axes), 'axis_in_use');
    assert.deepEqual(await catalogSoFar(apps), before);
    assert.equal((await client.delete(`/catalog/variants/${variant.tu_id}`)).status, 204);
    await ok(select({}));
  });
});

describe('with variants', () => {
  it('axes can be reordered, and the variants follow the new order', async () => {
    await ok(select({ size: ['s'], color: ['red'] }));
    const variant = await newVariant(client, tuId, {
      sku: 'TEE-S-RED',
      axis_values: { color: 'red', size: 's' },
    });
    assert.deepEqual(Object.keys(variant.axis_values), ['size', 'color']);
    await ok(select({ color: ['red'], size: ['s'] }));
    const { variants } = await ok(client.get(productPath));
    assert.deepEqual(Object.keys(variants[0].axis_values), ['color', 'size']);
    const again = { sku: 'AGAIN', axis_values: { size: 's', color: 'red' } };
    assertRefused(await client.create(`${productPath}/variants`, again), 'conflict');
  });
});

describe('a wrong selection', () => {
  it('with a code that names no axis is unknown, even if it is a property of every JavaScript object', async () => {
    for (const code of ['__proto__', 'constructor', 'toString', 'a b', 'ö', "'; drop table axes; --"])
      assertRefused(
        await client.put(path, selecting(Object.fromEntries([[code, ['x']]]))),
        'validation_failed',
        ['axes.0.code'],
      );
  });

  it('is reported, while unknown keys are ignored', async () => {
    const axes = [{ code: 'color', values: ['red'], position: 9, label: 'x', is_active: false }];
    const [color] = (await ok(client.put(path, { axes, product: 1 }))).data;
    assert.deepEqual([color.position, color.label, color.is_active], [0, null, true]);
  });
});

describe('a large selection', () => {
  // [catalog-131]
  it('of 50 axes is stored, and its variants stay unique', async () => {
    const { client: large } = await apps.newBrand();
    const codes = Array.from({ length: 50 }, (_, i) => `axis-with-a-long-code-${i}`);
    await newAxes(large, Object.fromEntries(codes.map((code) => [code, ['v', 'w']])));
    const wide = await newParent(large, Object.fromEntries(codes.map((code) => [code, ['w', 'v']])));
    const axis_values = Object.fromEntries(codes.map((code) => [code, 'v']));
    const variants = `/catalog/products/${wide.tu_id}/variants`;
    const created = await ok(large.create(variants, { sku: 'WIDE', axis_values }), 201);
    assert.deepEqual(created.axis_values, axis_values);
    assertRefused(await large.create(variants, { sku: 'AGAIN', axis_values }), 'conflict');
    const other = { ...axis_values, [codes[49] as string]: 'w' };
    await ok(large.create(variants, { sku: 'OTHER', axis_values: other }), 201);
    const answer = await large.create(`${variants}/generate`);
    assertRefused(answer, 'variant_cap_exceeded');
    assert.match(answer.json.message, new RegExp(`${2n ** 50n}.*500`));
  });

  // [catalog-131]
  it('has at most 50 axes and 1,000 values in all', async () => {
    const { client: large } = await apps.newBrand();
    const values = Array.from({ length: 1_001 }, (_, i) => `v${i}`);
    await newAxes(large, { a: values, b: ['w'] });
    const { tu_id } = await newParent(large, { a: values.slice(0, 999), b: ['w'] });
    const path = `/catalog/products/${tu_id}/axes`;
    const axes = [{ code: 'a', values: values.slice(0, 1_000) }];
    assertInvalid(await large.put(path, { axes: [...axes, { code: 'b', values: ['w'] }] }), {
      axes: 'must have at most 1000 values in all, not 1001',
    });
    assertInvalid(await large.put(path, { axes: [{ code: 'a', values }] }), {
      axes: 'must have at most 1000 values in all, not 1001',
      'axes.0.values': 'must have at most 1000 items, not 1001',
    });
    const many = Array.from({ length: 51 }, (_, i) => ({ code: `x${i}`, values: ['v'] }));
    assertInvalid(await large.put(path, { axes: many }), { axes: 'must have at most 50 items, not 51' });
    const { data } = (await large.get(path)).json;
    assert.deepEqual([data.length, data[0].values.length], [2, 999]);
  });
});
