import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { catalogSoFar, newAxes, newParent, newVariant } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
await newAxes(client, { color: ['red', 'blue'] });
const product = await newParent(client, { color: ['red', 'blue'] });
const variant = await newVariant(client, product.tu_id, { sku: 'RED', axis_values: { color: 'red' } });
const path = `/catalog/products/${product.tu_id}/variants`;

type Send = (body: object) => ReturnType<typeof client.post>;
const create: Send = (body) => client.create(path, { sku: 'NEW', axis_values: { color: 'blue' }, ...body });
const change: Send = (body) => client.patch(`/catalog/variants/${variant.tu_id}`, body);
const generate: Send = (body) => client.create(`${path}/generate`, body);

const notText = [7, true, [], {}, ['a']];
const notBoolean = [null, 'true', '', 0, 1, [], {}];
const badMoney = ['5', true, [], {}, -1, -0.0001, 1e11, 100_000_000_000.5, 1e21, 0.00001, 1.23456];
const badSkus = [null, ...notText, '', ' a', 'a ', 'a\n', '\u00a0a', 'x'.repeat(192), 'a\u0000', '\ud800'];
const badBarcodes = [...notText, '', 'x'.repeat(65), 'a\u0000', '\ud800'];

const cases: [
  what: string,
  send: Send,
  field: string,
  values: unknown[],
  body: (value: unknown) => object,
][] = [
  ['creating', create, 'sku', badSkus, (sku) => ({ sku })],
  ['creating', create, 'axis_values', [null, 'red', 7, true, []], (axis_values) => ({ axis_values })],
  [
    'creating',
    create,
    'axis_values.color',
    [null, 7, true, [], {}, ['blue'], '', 'Blue', 'blue ', 'a\u0000', '\ud800'],
    (color) => ({ axis_values: { color } }),
  ],
  ['creating', create, 'price', ['5', 5, true, []], (price) => ({ price })],
  ['creating', create, 'price.value', badMoney, (value) => ({ price: { value } })],
  ['creating', create, 'barcode', badBarcodes, (barcode) => ({ barcode })],
  ['creating', create, 'is_active', notBoolean, (is_active) => ({ is_active })],
  ['changing', change, 'sku', badSkus, (sku) => ({ sku })],
  ['changing', change, 'price', ['5', 5, true, []], (price) => ({ price })],
  ['changing', change, 'price.value', badMoney, (value) => ({ price: { value } })],
  ['changing', change, 'barcode', badBarcodes, (barcode) => ({ barcode })],
  ['changing', change, 'is_active', notBoolean, (is_active) => ({ is_active })],
  ['generating', generate, 'dry_run', notBoolean, (dry_run) => ({ dry_run })],
  ['generating', generate, 'activate', notBoolean, (activate) => ({ activate })],
  [
    'generating',
    generate,
    'sku_template',
    [
      null,
      ...notText,
      '',
      ' {sku}',
      '{sku} ',
      `{sku}${'x'.repeat(1_000)}`,
      '{sku}\u0000{color}',
      '\ud800{color}',
    ],
    (sku_template) => ({ sku_template }),
  ],
];

describe('a wrong value', () => {
  // [catalog-54]
  for (const [what, send, field, values, body] of cases)
    it(`at ${field} when ${what} is refused there, and nothing is written`, async () => {
      const before = await catalogSoFar(apps);
      for (const value of values) assertRefused(await send(body(value)), 'validation_failed', [field]);
      assert.deepEqual(await catalogSoFar(apps), before);
    });

  // [catalog-49]
  it('that is missing is refused where the field is required', async () => {
    assertRefused(await client.create(path, {}), 'validation_failed', ['axis_values', 'sku']);
    for (const send of [create, change])
      assertRefused(await send({ price: {} }), 'validation_failed', ['price.value']);
  });

  it('at many places is reported at all of them', async () => {
    const body = { sku: '', axis_values: { color: 7 }, price: { value: -1 }, barcode: '', is_active: 1 };
    const fields = ['axis_values.color', 'barcode', 'is_active', 'price.value', 'sku'];
    assertRefused(await create(body), 'validation_failed', fields);
  });

  it('comes before the 404 of a product or variant that does not exist', async () => {
    const nobody = 'aaaaaaaaaaaaaaaaaaaaa';
    const created = await client.create(`/catalog/products/${nobody}/variants`, { sku: 7, axis_values: {} });
    assertRefused(created, 'validation_failed', ['sku']);
    const changed = await client.patch(`/catalog/variants/${nobody}`, { sku: null });
    assertRefused(changed, 'validation_failed', ['sku']);
  });

  it('in the name of an axis is reported under that name, however unusual it is', async () => {
    for (const name of ['a.b', '', ' ', '\u0000', '\ud800', 'x'.repeat(10_000), '~1/', '__proto__']) {
      const body = `{"sku": "X", "axis_values": {"color": "blue", ${JSON.stringify(name)}: "y"}}`;
      const answer = await client.create(path, body);
      const field = JSON.parse(JSON.stringify(`axis_values.${name}`.slice(0, 500)));
      assertRefused(answer, 'validation_failed', [field]);
    }
  });
});
