import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { catalogSoFar, newAxes, newParent, ok, selecting } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
await newAxes(client, { color: ['red', 'blue'] });
const product = await newParent(client, { color: ['red'] });
const path = `/catalog/products/${product.tu_id}/axes`;

const notText = [null, 7, true, [], {}, ['a']];

describe('a wrong value in a selection', () => {
  const cases: [field: string, values: unknown[], body: (value: unknown) => object][] = [
    ['axes', [null, 'color', 7, true, {}], (axes) => ({ axes })],
    ['axes.0', [null, 'color', 7, true, []], (axis) => ({ axes: [axis] })],
    [
      'axes.1.code',
      [...notText, '', 'x'.repeat(65), 'a\u0000', '\ud800'],
      (code) => ({
        axes: [
          { code: 'color', values: ['red'] },
          { code, values: ['red'] },
        ],
      }),
    ],
    ['axes.0.values', [null, 'red', 7, true, {}, []], (values) => ({ axes: [{ code: 'color', values }] })],
    [
      'axes.0.values.1',
      [...notText, '', 'x'.repeat(65), 'a\u0000', '\ud800'],
      (value) => ({ axes: [{ code: 'color', values: ['red', value] }] }),
    ],
  ];
  for (const [field, values, body] of cases)
    it(`is refused at ${field}, and nothing is written`, async () => {
      const before = await catalogSoFar(apps);
      for (const value of values)
        assertRefused(await client.put(path, body(value)), 'validation_failed', [field]);
      assert.deepEqual(await catalogSoFar(apps), before);
    });

  // [catalog-43]
  it('is refused where it is missing', async () => {
    assertRefused(await client.put(path, {}), 'validation_failed', ['axes']);
    assertRefused(await client.put(path, { axes: [{}] }), 'validation_failed', [
      'axes.0.code',
      'axes.0.values',
    ]);
  });

  it('at thousands of places is reported at no more than a hundred of them', async () => {
    const axes = Array.from({ length: 5_000 }, (_, i) => ({ code: `unknown-${i}`, values: ['x'] }));
    const { status, json } = await client.put(path, { axes });
    assert.equal(status, 422);
    assert.equal(Object.keys(json.errors).length, 100);
  });

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
  it('of hundreds of axes is stored, and its variants stay unique', async () => {
    const { client: large } = await apps.newBrand();
    const codes = Array.from({ length: 400 }, (_, i) => `axis-with-a-long-code-${i}`);
    await newAxes(large, Object.fromEntries(codes.map((code) => [code, ['v', 'w']])));
    const wide = await newParent(large, Object.fromEntries(codes.map((code) => [code, ['w', 'v']])));
    const axis_values = Object.fromEntries(codes.map((code) => [code, 'v']));
    const variants = `/catalog/products/${wide.tu_id}/variants`;
    const created = await ok(large.create(variants, { sku: 'WIDE', axis_values }), 201);
    assert.deepEqual(created.axis_values, axis_values);
    assertRefused(await large.create(variants, { sku: 'AGAIN', axis_values }), 'conflict');
    const other = { ...axis_values, [codes[399] as string]: 'w' };
    await ok(large.create(variants, { sku: 'OTHER', axis_values: other }), 201);
    const answer = await large.create(`${variants}/generate`);
    assertRefused(answer, 'variant_cap_exceeded');
    assert.match(answer.json.message, new RegExp(`${2n ** 400n}.*500`));
  });
});
