// processes: fills libraries to their bounds
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertInvalid, assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { catalogSoFar, newAxes, ok, outcomes } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('creating an axis', () => {
  // [catalog-28]
  it('uses the defaults: no label, the next free position, active, no values', async () => {
    const { client } = await apps.newBrand();
    const { created_at, updated_at, ...first } = await ok(client.post('/catalog/axes', { code: 'a' }), 201);
    assert.deepEqual(first, { code: 'a', label: null, position: 0, is_active: true, values: [] });
    assert.match(created_at, timestamp);
    assert.equal(updated_at, created_at);
    await ok(client.post('/catalog/axes', { code: 'far', position: 40 }), 201);
    assert.equal((await ok(client.post('/catalog/axes', { code: 'next' }), 201)).position, 41);
  });

  it('accepts label, position and values, and shows the values by position, then value', async () => {
    const { client } = await apps.newBrand();
    const values = [
      { value: 'm', label: 'Médium 🦊', position: 5 },
      { value: 'xs', position: 0 },
      { value: 'next' },
      { value: 'a', position: 5, label: null },
    ];
    const axis = await ok(
      client.post('/catalog/axes', { code: 'Size_1.0-x', label: 'Größe', position: 3, values }),
      201,
    );
    assert.deepEqual([axis.code, axis.label, axis.position], ['Size_1.0-x', 'Größe', 3]);
    assert.deepEqual(
      axis.values.map(({ value, label, position, is_active }: Record<string, unknown>) => [
        value,
        label,
        position,
        is_active,
      ]),
      [
        ['xs', null, 0, true],
        ['a', null, 5, true],
        ['m', 'Médium 🦊', 5, true],
        ['next', null, 6, true],
      ],
    );
    assert.deepEqual((await ok(client.get('/catalog/axes'))).data, [axis]);
    for (const value of axis.values)
      assert.deepEqual([value.created_at, value.updated_at], [axis.created_at, axis.created_at]);
  });

  it('gives a value without position the largest earlier one plus one', async () => {
    const { client } = await apps.newBrand();
    const positions = [undefined, 7, undefined, 3, undefined];
    const values = positions.map((position, n) => ({ value: 'aAbcd'[n], position }));
    const axis = await ok(client.post('/catalog/axes', { code: 'a', values }), 201);
    const placed = axis.values.map(({ value, position }: Record<string, unknown>) => `${value}${position}`);
    assert.deepEqual(placed.sort(), ['A7', 'a0', 'b8', 'c3', 'd9']);
  });

  it('ignores keys that are not part of the body, such as is_active', async () => {
    const { client } = await apps.newBrand();
    const body = { code: 'a', id: 7, is_active: false, values: [{ value: 'v', is_active: false, x: 1 }] };
    const axis = await ok(client.post('/catalog/axes', body), 201);
    assert.deepEqual([axis.is_active, axis.values[0].is_active], [true, true]);
  });

  it('keeps the next free position within the range of the column', async () => {
    const { client } = await apps.newBrand();
    await ok(client.post('/catalog/axes', { code: 'last', position: 2_147_483_647 }), 201);
    const axis = await ok(client.post('/catalog/axes', { code: 'more' }), 201);
    assert.equal(axis.position, 2_147_483_647);
    const path = '/catalog/axes/more/values';
    await ok(client.post(path, { value: 'last', position: 2_147_483_647 }), 201);
    assert.equal((await ok(client.post(path, { value: 'more' }), 201)).position, 2_147_483_647);
  });

  // [catalog-30]
  it('with a code that the brand already has gives duplicate_axis_code and changes nothing', async () => {
    const { client } = await apps.newBrand();
    await newAxes(client, { color: ['red'] });
    const before = await catalogSoFar(apps);
    const body = { code: 'color', values: [{ value: 'blue' }] };
    assertRefused(await client.post('/catalog/axes', body), 'duplicate_axis_code');
    assert.deepEqual(await catalogSoFar(apps), before);
  });

  it('compares codes case-sensitively and within the brand', async () => {
    const { client } = await apps.newBrand();
    const other = await apps.newBrand();
    await newAxes(client, { color: [], Color: [], COLOR: [] });
    await newAxes(other.client, { color: [] });
  });

  // [catalog-31]
  it('with a repeated value gives 422 at the index of each but the first, before the code is checked', async () => {
    const { client } = await apps.newBrand();
    await newAxes(client, { color: [] });
    const before = await catalogSoFar(apps);
    const values = ['a', 'b', 'a', 'b', 'a'].map((value, index) => ({ value, label: `L${index}` }));
    const answer = await client.post('/catalog/axes', { code: 'color', values });
    assertRefused(answer, 'validation_failed', ['values.2.value', 'values.3.value', 'values.4.value']);
    assert.deepEqual(await catalogSoFar(apps), before);
  });

  it('with one code in 50 concurrent requests creates exactly one, complete', async () => {
    const { client } = await apps.newBrand();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        client.post('/catalog/axes', { code: 'one', label: `L${i}`, values: [{ value: `v${i}` }] }),
      ),
    );
    assert.deepEqual(outcomes(answers), { '201': 1, '409 duplicate_axis_code': 49 });
    const created = answers.find(({ status }) => status === 201)?.json;
    assert.deepEqual((await ok(client.get('/catalog/axes'))).data, [created]);
    assert.equal(created.values[0].value, `v${created.label.slice(1)}`);
  });

  it('in 20 concurrent requests without positions gives each its own position', async () => {
    const { client } = await apps.newBrand();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => ok(client.post('/catalog/axes', { code: `a${i}` }), 201)),
    );
    const { data } = await ok(client.get('/catalog/axes'));
    assert.deepEqual(
      data.map(({ position }: { position: number }) => position),
      Array.from({ length: 20 }, (_, i) => i),
    );
  });

  it('honours an Idempotency-Key when one is sent', async () => {
    const { client } = await apps.newBrand();
    const headers = { 'idempotency-key': 'axis-once' };
    const first = await client.post('/catalog/axes', { code: 'once' }, headers);
    const again = await client.post('/catalog/axes', { code: 'once' }, headers);
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assertRefused(await client.post('/catalog/axes', { code: 'two' }, headers), 'idempotency_key_reuse');
    assertRefused(await client.post('/catalog/axes', { code: 'once' }), 'duplicate_axis_code');
  });

  it('accepts thousands of values in one request', async () => {
    const { client } = await apps.newBrand();
    const values = Array.from({ length: 5_000 }, (_, i) => ({ value: `v${i}` }));
    const axis = await ok(client.post('/catalog/axes', { code: 'wide', values }), 201);
    assert.equal(axis.values.length, 5_000);
    assert.deepEqual([axis.values[4_999].value, axis.values[4_999].position], ['v4999', 4_999]);
  });
});

describe('adding a value to an axis', () => {
  it('returns the value with its defaults and places it at the next free position', async () => {
    const { client } = await apps.newBrand();
    await newAxes(client, { color: ['red', 'blue'] });
    const value = await ok(client.post('/catalog/axes/color/values', { value: 'green' }), 201);
    const { created_at, updated_at, ...rest } = value;
    assert.deepEqual(rest, { value: 'green', label: null, position: 2, is_active: true });
    assert.match(created_at, timestamp);
    assert.equal(updated_at, created_at);
    const labelled = { value: 'first', label: 'Première', position: 0 };
    await ok(client.post('/catalog/axes/color/values', labelled), 201);
    const [axis] = (await ok(client.get('/catalog/axes'))).data;
    assert.deepEqual(
      axis.values.map(({ value: name }: { value: string }) => name),
      ['first', 'red', 'blue', 'green'],
    );
  });

  // [catalog-32]
  it('that the axis already has gives duplicate_axis_value; another axis or another case is accepted', async () => {
    const { client } = await apps.newBrand();
    await newAxes(client, { color: ['red'], trim: [] });
    const before = await catalogSoFar(apps);
    const answer = await client.post('/catalog/axes/color/values', { value: 'red', label: 'again' });
    assertRefused(answer, 'duplicate_axis_value');
    assert.deepEqual(await catalogSoFar(apps), before);
    await ok(client.post('/catalog/axes/color/values', { value: 'Red' }), 201);
    await ok(client.post('/catalog/axes/trim/values', { value: 'red' }), 201);
  });

  it('in 50 concurrent requests creates exactly one', async () => {
    const { client } = await apps.newBrand();
    await newAxes(client, { color: [] });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.post('/catalog/axes/color/values', { value: 'red' })),
    );
    assert.deepEqual(outcomes(answers), { '201': 1, '409 duplicate_axis_value': 49 });
  });

  it('to an axis that is being deleted either fails or succeeds completely', async () => {
    const { client } = await apps.newBrand();
    for (let round = 0; round < 20; round += 1) {
      await newAxes(client, { fleeting: [] });
      const [added, deleted] = await Promise.all([
        client.post('/catalog/axes/fleeting/values', { value: 'v' }),
        client.delete('/catalog/axes/fleeting'),
      ]);
      assert.equal(deleted.status, 204);
      assert.ok([201, 404].includes(added.status), added.text);
      assert.deepEqual((await ok(client.get('/catalog/axes'))).data, []);
    }
    assert.deepEqual(
      await apps.sql('select 1 from axis_values w left join axes a using (brand_id) where a.id is null'),
      [],
    );
  });

  it('honours an Idempotency-Key when one is sent', async () => {
    const { client } = await apps.newBrand();
    await newAxes(client, { color: [] });
    const headers = { 'idempotency-key': 'value-once' };
    const first = await client.post('/catalog/axes/color/values', { value: 'red' }, headers);
    const again = await client.post('/catalog/axes/color/values', { value: 'red' }, headers);
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
  });
});

describe('names at their limits', () => {
  // [catalog-27]
  it('of 1 and of 64 characters, and of every allowed character, are accepted and can be read back', async () => {
    const { client } = await apps.newBrand();
    for (const code of ['a', 'x'.repeat(64), 'A.z_0-9', '...', '-', '__proto__', 'constructor', 'values']) {
      assert.equal((await client.post('/catalog/axes', { code, values: [{ value: code }] })).status, 201);
      const value = await client.patch(`/catalog/axes/${code}/values/${code}`, { label: 'x'.repeat(255) });
      assert.equal(value.json.value, code);
      assert.equal((await client.delete(`/catalog/axes/${code}/values/${code}`)).status, 204);
      assert.equal((await client.delete(`/catalog/axes/${code}`)).status, 204);
    }
  });
});

const values = (count: number, prefix = 'v') =>
  Array.from({ length: count }, (_, i) => ({ value: `${prefix}${i}` }));

// [catalog-130]
describe('the number of values', () => {
  it('of an axis is at most 20,000, also of requests at the same time', async () => {
    const { client } = await apps.newBrand();
    assertInvalid(await client.post('/catalog/axes', { code: 'a', values: values(20_001) }), {
      values: 'must have at most 20000 items, not 20001',
    });
    await ok(client.post('/catalog/axes', { code: 'a', values: values(19_999) }), 201);
    const added = await Promise.all(
      ['x', 'y', 'z'].map((value) => client.post('/catalog/axes/a/values', { value })),
    );
    assert.deepEqual(added.map(({ status }) => status).sort(), [201, 422, 422]);
    const refused = added.filter(({ status }) => status === 422);
    for (const answer of refused)
      assertInvalid(answer, {
        value: 'must not be added: an axis has at most 20000 values, and this one has 20000',
      });
    // What exists needs no room, and a deleted value makes some.
    assertRefused(await client.post('/catalog/axes/a/values', { value: 'v7' }), 'duplicate_axis_value');
    await ok(client.delete('/catalog/axes/a/values/v7'), 204);
    await ok(client.post('/catalog/axes/a/values', { value: 'again' }), 201);
  });

  it('of all axes of a brand is at most 50,000, also of requests at the same time', async () => {
    const { client, brandId } = await apps.newBrand();
    for (const [code, count] of [
      ['a', 20_000],
      ['b', 20_000],
      ['c', 9_998],
    ] as const)
      await ok(client.post('/catalog/axes', { code, values: values(count) }), 201);
    assertInvalid(await client.post('/catalog/axes', { code: 'd', values: values(3) }), {
      values:
        'must not be added, all 3: a brand has at most 50000 values in all axes, and this one has 49998',
    });
    const added = await Promise.all([
      client.post('/catalog/axes', { code: 'd', values: values(2) }),
      client.post('/catalog/axes', { code: 'e', values: values(2) }),
      client.post('/catalog/axes/c/values', { value: 'x' }),
    ]);
    assert.ok(added.some(({ status }) => status === 422));
    const [{ total } = { total: 0 }] = await apps.sql<{ total: number }>(
      'select count(*)::int as total from axis_values where brand_id = $1',
      [brandId],
    );
    assert.ok(total === 50_000 || total === 49_999, `${total} values`);
    for (const value of ['p', 'q']) await client.post('/catalog/axes/c/values', { value });
    assertInvalid(await client.post('/catalog/axes/c/values', { value: 'r' }), {
      value: 'must not be added: a brand has at most 50000 values in all axes, and this one has 50000',
    });
    await ok(client.post('/catalog/axes', { code: 'empty' }), 201);
  });

  // [catalog-133]
  it('that is stored beyond the bounds is read', async () => {
    const { client, brandId } = await apps.newBrand();
    await ok(client.post('/catalog/axes', { code: 'a' }), 201);
    await apps.sql(
      `insert into axis_values (brand_id, axis_id, value, position, created_at, updated_at)
       select $1, (select id from axes where brand_id = $1), 'v' || n, n, now(), now() from generate_series(1, 21000) as n`,
      [brandId],
    );
    const [axis] = (await ok(client.get('/catalog/axes'))).data;
    assert.equal(axis.values.length, 21_000);
    const relabelled = await ok(client.patch('/catalog/axes/a', { label: 'A' }));
    assert.equal(relabelled.values.length, 21_000);
    assertInvalid(await client.post('/catalog/axes/a/values', { value: 'x' }), {
      value: 'must not be added: an axis has at most 20000 values, and this one has 21000',
    });
  });
});
