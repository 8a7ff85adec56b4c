import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok, outcomes } from '../../tests/new-axes.ts';
import { adjusted, assertStockTrue, newLocation, newSimple, newStockedBrand } from './stock.ts';

const apps = await createTestApps();
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const locations = '/catalog/stock/locations';

describe('creating a location', () => {
  // [catalog-67]
  it('uses the defaults: named after its code, active, without a point of sale', async () => {
    const { client } = await apps.newBrand();
    const { created_at, updated_at, ...location } = await newLocation(client, 'WH-1');
    assert.deepEqual(location, {
      external_code: 'WH-1',
      name: 'WH-1',
      is_active: true,
      pointofsale_tu_id: null,
    });
    assert.match(created_at, timestamp);
    assert.equal(updated_at, created_at);
  });

  it('accepts a name and is_active, and every character that an external_code may have', async () => {
    const { client } = await apps.newBrand();
    const fields = { name: ' Lager «Süd» 🏭', is_active: false };
    const location = await newLocation(client, 'a.Z_0~-', fields);
    assert.deepEqual(
      [location.external_code, location.name, location.is_active],
      ['a.Z_0~-', fields.name, false],
    );
    await newLocation(client, 'x'.repeat(64), { name: '🏭'.repeat(255) });
  });

  // [catalog-69]
  it('with a code that the brand already has gives conflict, case-sensitively and per brand', async () => {
    const { client } = await apps.newBrand();
    const other = await apps.newBrand();
    await newLocation(client, 'WH');
    assertRefused(await client.post(locations, { external_code: 'WH', name: 'Again' }), 'conflict');
    await newLocation(client, 'wh');
    await newLocation(other.client, 'WH');
    const list = await ok(client.get(locations));
    assert.deepEqual(
      list.data.map(({ name }: { name: string }) => name),
      ['WH', 'wh'],
    );
  });

  it('in 50 concurrent requests with one code creates one location', async () => {
    const { client } = await apps.newBrand();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.post(locations, { external_code: 'ONE' })),
    );
    assert.deepEqual(outcomes(answers), { '201': 1, '409 conflict': 49 });
  });

  // [catalog-70]
  it('refuses the reserved code __default__, whether it exists or not', async () => {
    const { client } = await apps.newBrand();
    assertRefused(await client.post(locations, { external_code: '__default__' }), 'validation_failed', [
      'external_code',
    ]);
    await adjusted(client, (await newSimple(client)).tu_id, { quantity: 1 });
    assertRefused(await client.post(locations, { external_code: '__default__' }), 'validation_failed', [
      'external_code',
    ]);
  });

  it('honours an Idempotency-Key and does not require one', async () => {
    const { client } = await apps.newBrand();
    const headers = { 'idempotency-key': 'once' };
    const first = await client.post(locations, { external_code: 'WH' }, headers);
    const again = await client.post(locations, { external_code: 'WH' }, headers);
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assertRefused(await client.post(locations, { external_code: 'B' }, headers), 'idempotency_key_reuse');
  });
});

describe('changing a location', () => {
  it('writes the given fields and moves updated_at', async () => {
    const { client } = await apps.newBrand();
    const before = await newLocation(client, 'WH', { name: 'Before' });
    const renamed = await ok(client.patch(`${locations}/WH`, { name: 'After' }));
    assert.deepEqual([renamed.name, renamed.is_active], ['After', true]);
    const closed = await ok(client.patch(`${locations}/WH`, { is_active: false }));
    assert.deepEqual([closed.name, closed.is_active], ['After', false]);
    assert.ok(closed.updated_at >= renamed.updated_at && renamed.updated_at >= before.updated_at);
    assert.deepEqual((await ok(client.get(locations))).data, [closed]);
  });

  it('to its current values changes nothing, not even updated_at', async () => {
    const { client } = await apps.newBrand();
    const before = await newLocation(client, 'WH', { name: 'Same' });
    assert.deepEqual(await ok(client.patch(`${locations}/WH`, { name: 'Same', is_active: true })), before);
    assert.deepEqual(await ok(client.patch(`${locations}/WH`, {})), before);
    assert.deepEqual(await ok(client.patch(`${locations}/WH`, { unknown: 1 })), before);
  });

  // [catalog-117]
  it('refuses every value of a wrong type at its field, including null', async () => {
    const { client } = await apps.newBrand();
    await newLocation(client, 'WH');
    const wrong = { name: [null, '', 7, [], 'x'.repeat(256)], is_active: [null, 'false', 0, {}] };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values)
        assertRefused(await client.patch(`${locations}/WH`, { [field]: value }), 'validation_failed', [
          field,
        ]);
    for (const body of ['[]', 'null', '"x"', '7'])
      assertRefused(await client.patch(`${locations}/WH`, body), 'validation_failed', ['body']);
  });

  // [catalog-70]
  it('gives 404 for an unknown code, a code of another brand and __default__, but a wrong body comes first', async () => {
    const { client } = await apps.newBrand();
    const other = await apps.newBrand();
    await newLocation(other.client, 'THEIRS');
    await adjusted(client, (await newSimple(client)).tu_id, { quantity: 1 });
    const answers = await Promise.all(
      ['NONE', 'THEIRS', '__default__', 'no%20code', '%00', 'x'.repeat(65)].map((code) =>
        client.patch(`${locations}/${code}`, { name: 'Mine' }),
      ),
    );
    for (const answer of answers) assertRefused(answer, 'not_found');
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assertRefused(await client.patch(`${locations}/__default__`, { name: 7 }), 'validation_failed', ['name']);
    const list = await ok(client.get(locations));
    assert.deepEqual([list.data[0].external_code, list.data[0].name], ['__default__', 'Default']);
  });

  it('ignores an Idempotency-Key', async () => {
    const { client } = await apps.newBrand();
    await newLocation(client, 'WH');
    const headers = { 'idempotency-key': 'ignored' };
    await ok(client.patch(`${locations}/WH`, { name: 'A' }, headers));
    assert.equal((await ok(client.patch(`${locations}/WH`, { name: 'B' }, headers))).name, 'B');
  });

  it('in 50 concurrent requests always succeeds, and the last one remains', async () => {
    const { client, tu_id } = await newStockedBrand(apps);
    await adjusted(client, tu_id, { location: 'WH', quantity: 3 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        client.patch(`${locations}/WH`, { name: `N${index}`, is_active: index % 2 === 0 }),
      ),
    );
    assert.deepEqual(outcomes(answers), { '200': 50 });
    await assertStockTrue(apps);
  });
});

describe('listing locations', () => {
  // [catalog-68]
  it('is sorted by external_code, byte by byte, includes __default__ once it exists, and filters by is_active', async () => {
    const { client } = await apps.newBrand();
    for (const code of ['b', 'B', '10', '9', '~', '-'])
      await newLocation(client, code, { is_active: code > 'A' });
    await adjusted(client, (await newSimple(client)).tu_id, { quantity: 0 });
    const codes = async (query = '') =>
      (await ok(client.get(locations + query))).data.map(
        (row: { external_code: string }) => row.external_code,
      );
    assert.deepEqual(await codes(), ['-', '10', '9', 'B', '__default__', 'b', '~']);
    assert.deepEqual(await codes('?is_active=true'), ['B', '__default__', 'b', '~']);
    assert.deepEqual(await codes('?is_active=0'), ['-', '10', '9']);
  });

  it('pages without skipping or repeating, clamps per_page and serves pages after the last', async () => {
    const { client } = await apps.newBrand();
    for (let index = 10; index < 17; index += 1) await newLocation(client, `L${index}`);
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const { data, meta } = await ok(client.get(`${locations}?page=${page}&per_page=3`));
      assert.deepEqual(meta, { current_page: page, per_page: 3, total: 7, last_page: 3 });
      seen.push(...data.map((row: { external_code: string }) => row.external_code));
    }
    assert.deepEqual(seen, ['L10', 'L11', 'L12', 'L13', 'L14', 'L15', 'L16']);
    assert.equal((await ok(client.get(`${locations}?per_page=1000`))).meta.per_page, 200);
    const past = await ok(client.get(`${locations}?page=99`));
    assert.deepEqual([past.data, past.meta.total], [[], 7]);
  });

  it('refuses invalid filters', async () => {
    const { client } = await apps.newBrand();
    for (const [field, value] of [
      ['is_active', 'yes'],
      ['page', '0'],
      ['per_page', '-1'],
      ['page', 'x'],
    ])
      assertRefused(await client.get(`${locations}?${field}=${value}`), 'validation_failed', [
        field as string,
      ]);
  });

  // [internal-32]
  it('shows the point of sale that the directory attaches', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'WH');
    const items = [{ tu_id: 'pos-1', location: 'WH' }];
    assert.equal((await apps.admin.put(`/brands/${brandId}/pos`, { items })).status, 200);
    assert.equal((await ok(client.get(locations))).data[0].pointofsale_tu_id, 'pos-1');
    assert.equal((await ok(client.patch(`${locations}/WH`, { name: 'X' }))).pointofsale_tu_id, 'pos-1');
    assert.equal((await apps.admin.delete(`/brands/${brandId}/pos/pos-1`)).status, 204);
    assert.equal((await ok(client.get(locations))).data[0].pointofsale_tu_id, null);
  });
});
