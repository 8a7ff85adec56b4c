import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { catalogSoFar, newParent, ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();
let client: ApiClient;
const axisPath = '/catalog/axes/color';
const valuePath = '/catalog/axes/color/values/red';

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  const values = [{ value: 'red', label: 'Red' }, { value: 'blue' }];
  await ok(client.post('/catalog/axes', { code: 'color', label: 'Colour', values }), 201);
});

const library = async () => (await ok(client.get('/catalog/axes'))).data[0];

for (const [what, path, isIt] of [
  ['an axis', axisPath, async () => library()],
  [
    'a value',
    valuePath,
    async () => (await library()).values.find((v: { value: string }) => v.value === 'red'),
  ],
] as const) {
  describe(`changing ${what}`, () => {
    it('writes the given fields, leaves the others and moves updated_at', async () => {
      const before = await isIt();
      const renamed = await ok(client.patch(path, { label: 'Färg 🎨' }));
      assert.deepEqual({ ...renamed, updated_at: 0 }, { ...before, label: 'Färg 🎨', updated_at: 0 });
      assert.ok(renamed.updated_at >= before.updated_at);
      const moved = await ok(client.patch(path, { position: 9, is_active: false }));
      assert.deepEqual([moved.label, moved.position, moved.is_active], ['Färg 🎨', 9, false]);
      assert.deepEqual(await isIt(), moved);
      assert.equal((await ok(client.patch(path, { is_active: true }))).is_active, true);
    });

    // [catalog-34]
    it('clears the label with null', async () => {
      assert.equal((await ok(client.patch(path, { label: null }))).label, null);
    });

    it('to its current values changes nothing, not even updated_at', async () => {
      const before = await catalogSoFar(apps);
      const { label, position, is_active } = await isIt();
      for (const body of [{}, { label }, { label, position, is_active }, { unknown: 1 }])
        await ok(client.patch(path, body));
      assert.deepEqual(await catalogSoFar(apps), before);
    });

    it('ignores an Idempotency-Key, even a malformed one', async () => {
      const before = await apps.sql('select count(*) from idempotency_records');
      const key = { 'idempotency-key': 'x'.repeat(192) };
      assert.equal((await ok(client.patch(path, { label: 'A' }, key))).label, 'A');
      assert.equal((await ok(client.patch(path, { label: 'B' }, key))).label, 'B');
      assert.deepEqual(await apps.sql('select count(*) from idempotency_records'), before);
    });

    it('in 20 concurrent requests with different fields loses none of the changes', async () => {
      const bodies = [{ label: 'L' }, { position: 5 }, { is_active: false }];
      await Promise.all(
        Array.from({ length: 21 }, (_, i) => ok(client.patch(path, bodies[i % 3] as object))),
      );
      const after = await isIt();
      assert.deepEqual([after.label, after.position, after.is_active], ['L', 5, false]);
    });

    it('leaves products that use it unchanged, updated_at included', async () => {
      const product = await newParent(client, { color: ['red'] });
      const before = await ok(client.get(`/catalog/products/${product.tu_id}`));
      await ok(client.patch(path, { is_active: false }));
      const after = await ok(client.get(`/catalog/products/${product.tu_id}`));
      assert.deepEqual(after, before);
    });
  });
}

describe('a code and a value', () => {
  // [catalog-33]
  it('never change: sending one is refused as prohibited, for any value', async () => {
    const before = await catalogSoFar(apps);
    for (const sent of ['color', 'red', 'other', null, '', 7, true, [], {}]) {
      assertRefused(await client.patch(axisPath, { code: sent, label: 'x' }), 'validation_failed', ['code']);
      assertRefused(await client.patch(valuePath, { value: sent, label: 'x' }), 'validation_failed', [
        'value',
      ]);
      const unknown = await client.patch('/catalog/axes/unknown', { code: sent });
      assertRefused(unknown, 'validation_failed', ['code']);
    }
    const answer = await client.patch(axisPath, { code: 'color' });
    assert.deepEqual(answer.json.errors, { code: ['is prohibited'] });
    assert.deepEqual(await catalogSoFar(apps), before);
  });

  it('are ignored where they do not belong: value and values on an axis, code on a value', async () => {
    const axis = await library();
    assert.deepEqual(await ok(client.patch(axisPath, { value: 'x', values: [{ value: 'x' }] })), axis);
    assert.deepEqual(await ok(client.patch(valuePath, { code: 'x' })), axis.values[0]);
  });
});

describe('the order of the library', () => {
  it('follows changes of positions', async () => {
    await ok(client.patch(valuePath, { position: 10 }));
    assert.deepEqual(
      (await library()).values.map(({ value }: { value: string }) => value),
      ['blue', 'red'],
    );
  });
});
