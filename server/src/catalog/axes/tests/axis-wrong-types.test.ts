import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { catalogSoFar, newAxes } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
await newAxes(client, { color: ['red'] });

const notText = [7, true, [], {}, ['a']];
const badNames = [
  null,
  ...notText,
  '',
  ' a',
  'a ',
  'a b',
  'ä',
  'a/b',
  'a\u0000',
  '\ud800',
  '🦊',
  'x'.repeat(65),
  'a\n',
];
const badLabels = [...notText, '', 'x'.repeat(256), 'a\u0000', '\ud800'];
const badPositions = [null, '5', '', true, [], {}, -1, 1.5, 2_147_483_648, 1e300];
const badSwitches = [null, 'true', '', 0, 1, [], {}];

type Send = (body: object) => ReturnType<typeof client.post>;
const createAxis: Send = (body) => client.post('/catalog/axes', { code: 'new', ...body });
const createValue: Send = (body) => client.post('/catalog/axes/color/values', { value: 'new', ...body });
const changeAxis: Send = (body) => client.patch('/catalog/axes/color', body);
const changeValue: Send = (body) => client.patch('/catalog/axes/color/values/red', body);

const cases: [
  what: string,
  send: Send,
  field: string,
  values: unknown[],
  body: (value: unknown) => object,
][] = [
  ['creating an axis', createAxis, 'code', badNames, (code) => ({ code })],
  ['creating an axis', createAxis, 'label', badLabels, (label) => ({ label })],
  ['creating an axis', createAxis, 'position', badPositions, (position) => ({ position })],
  ['creating an axis', createAxis, 'values', [null, 'a', 7, true, {}], (values) => ({ values })],
  ['creating an axis', createAxis, 'values.0', [null, 'a', 7, true, []], (value) => ({ values: [value] })],
  [
    'creating an axis',
    createAxis,
    'values.1.value',
    badNames,
    (value) => ({ values: [{ value: 'a' }, { value }] }),
  ],
  [
    'creating an axis',
    createAxis,
    'values.0.label',
    badLabels,
    (label) => ({ values: [{ value: 'a', label }] }),
  ],
  [
    'creating an axis',
    createAxis,
    'values.0.position',
    badPositions,
    (position) => ({ values: [{ value: 'a', position }] }),
  ],
  ['adding a value', createValue, 'value', badNames, (value) => ({ value })],
  ['adding a value', createValue, 'label', badLabels, (label) => ({ label })],
  ['adding a value', createValue, 'position', badPositions, (position) => ({ position })],
  ['changing an axis', changeAxis, 'label', badLabels, (label) => ({ label })],
  ['changing an axis', changeAxis, 'position', badPositions, (position) => ({ position })],
  ['changing an axis', changeAxis, 'is_active', badSwitches, (is_active) => ({ is_active })],
  ['changing a value', changeValue, 'label', badLabels, (label) => ({ label })],
  ['changing a value', changeValue, 'position', badPositions, (position) => ({ position })],
  ['changing a value', changeValue, 'is_active', badSwitches, (is_active) => ({ is_active })],
];

describe('a wrong value', () => {
  // [catalog-27] [catalog-34]
  for (const [what, send, field, values, body] of cases)
    it(`at ${field} when ${what} is refused there, and nothing is written`, async () => {
      const before = await catalogSoFar(apps);
      for (const value of values) assertRefused(await send(body(value)), 'validation_failed', [field]);
      assert.deepEqual(await catalogSoFar(apps), before);
    });

  it('that is missing is refused where the field is required', async () => {
    assertRefused(await client.post('/catalog/axes', {}), 'validation_failed', ['code']);
    assertRefused(await client.post('/catalog/axes/color/values', {}), 'validation_failed', ['value']);
    assertRefused(await createAxis({ values: [{}] }), 'validation_failed', ['values.0.value']);
  });

  it('at many places is reported at all of them', async () => {
    const body = { code: '', label: 7, position: -1, values: [{ value: ' ', label: '' }, {}] };
    assertRefused(await createAxis(body), 'validation_failed', [
      'code',
      'label',
      'position',
      'values.0.value',
      'values.0.label',
      'values.1.value',
    ]);
  });

  it('comes before the 404 of an axis that does not exist', async () => {
    assertRefused(await client.patch('/catalog/axes/unknown', { position: -1 }), 'validation_failed', [
      'position',
    ]);
  });
});

describe('names at their limits', () => {
  // [catalog-27]
  it('of 1 and of 64 characters, and of every allowed character, are accepted and can be read back', async () => {
    for (const code of ['a', 'x'.repeat(64), 'A.z_0-9', '...', '-', '__proto__', 'constructor', 'values']) {
      assert.equal((await client.post('/catalog/axes', { code, values: [{ value: code }] })).status, 201);
      const value = await client.patch(`/catalog/axes/${code}/values/${code}`, { label: 'x'.repeat(255) });
      assert.equal(value.json.value, code);
      assert.equal((await client.delete(`/catalog/axes/${code}/values/${code}`)).status, 204);
      assert.equal((await client.delete(`/catalog/axes/${code}`)).status, 204);
    }
  });
});
