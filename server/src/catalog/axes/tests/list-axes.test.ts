// processes: reads a library of megabytes
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAxes, ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const codesOf = ({ data }: { data: { code: string }[] }) => data.map(({ code }) => code);

await ok(client.post('/catalog/axes', { code: 'late', position: 9, values: [{ value: 'v' }] }), 201);
await ok(client.post('/catalog/axes', { code: 'b', position: 1 }), 201);
await ok(client.post('/catalog/axes', { code: 'a', position: 1 }), 201);
await ok(client.post('/catalog/axes', { code: 'B', position: 1 }), 201);
await ok(client.post('/catalog/axes', { code: 'first', position: 0 }), 201);
await ok(client.patch('/catalog/axes/a', { is_active: false }));
await ok(client.patch('/catalog/axes/late/values/v', { is_active: false }));

describe('the list of axes', () => {
  // [catalog-29]
  it('is sorted by position, then code by bytes, and includes inactive axes and values', async () => {
    const list = await ok(client.get('/catalog/axes'));
    assert.deepEqual(codesOf(list), ['first', 'B', 'a', 'b', 'late']);
    assert.deepEqual(list.meta, { current_page: 1, per_page: 50, total: 5, last_page: 1 });
    assert.equal(list.data[2].is_active, false);
    assert.equal(list.data[4].values[0].is_active, false);
  });

  it('is filtered by is_active of the axis, in every spelling of a boolean', async () => {
    for (const spelling of ['false', '0']) {
      const { data, meta } = await ok(client.get(`/catalog/axes?is_active=${spelling}`));
      assert.deepEqual([codesOf({ data }), meta.total], [['a'], 1]);
    }
    for (const spelling of ['true', '1']) {
      const { data, meta } = await ok(client.get(`/catalog/axes?is_active=${spelling}`));
      assert.deepEqual([codesOf({ data }), meta.total], [['first', 'B', 'b', 'late'], 4]);
      assert.equal(data[3].values.length, 1);
    }
  });

  // [platform-41]
  it('is paged, with each axis once and the total of all matches', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => ok(client.get(`/catalog/axes?per_page=2&page=${page}`))),
    );
    assert.deepEqual(pages.flatMap(codesOf), ['first', 'B', 'a', 'b', 'late']);
    assert.deepEqual(pages[2]?.meta, { current_page: 3, per_page: 2, total: 5, last_page: 3 });
    const filtered = await ok(client.get('/catalog/axes?is_active=true&per_page=3&page=2'));
    assert.deepEqual([codesOf(filtered), filtered.meta.total, filtered.meta.last_page], [['late'], 4, 2]);
  });

  // [platform-44]
  it('clamps per_page to 200 and is empty after the last page', async () => {
    const { data, meta } = await ok(client.get('/catalog/axes?per_page=5000&page=99999999999999999999'));
    assert.deepEqual([data, meta.per_page, meta.total], [[], 200, 5]);
  });

  // [platform-44]
  it('of a brand without axes is empty, with one page', async () => {
    const empty = await apps.newBrand();
    assert.deepEqual(await ok(empty.client.get('/catalog/axes')), {
      data: [],
      meta: { current_page: 1, per_page: 50, total: 0, last_page: 1 },
    });
  });

  it('never shows axes of another brand', async () => {
    const other = await apps.newBrand();
    await newAxes(other.client, { a: ['theirs'] });
    assert.deepEqual(codesOf(await ok(other.client.get('/catalog/axes'))), ['a']);
    assert.equal((await ok(client.get('/catalog/axes'))).meta.total, 5);
  });

  // [platform-42]
  for (const query of [
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'per_page=0',
    'per_page=',
    'is_active=yes',
    'is_active=',
    'is_active=true&is_active=false',
    'page=1&page=2',
  ])
    it(`refuses ${query}`, async () =>
      assertRefused(await client.get(`/catalog/axes?${query}`), 'validation_failed', [
        query.split('=')[0] as string,
      ]));
});

// [platform-97]
describe('a library that is a large response', () => {
  it('is the same bytes each time, compressed or not, and with HEAD', async () => {
    const { client, brandId } = await apps.newBrand();
    await ok(client.post('/catalog/axes', { code: 'a' }), 201);
    await ok(client.post('/catalog/axes', { code: 'b' }), 201);
    await apps.sql(
      `insert into axis_values (brand_id, axis_id, value, label, position, created_at, updated_at)
       select brand_id, id, 'v' || n, 'ä😀 ' || n, n, '2026-03-01T08:30:00.123Z', '2026-03-01T08:30:00Z'
       from axes, generate_series(1, 12000) as n where brand_id = $1`,
      [brandId],
    );
    const plain = await client.get('/catalog/axes');
    assert.equal(plain.status, 200);
    assert.ok(plain.text.length > 2 * 1024 * 1024);
    assert.equal(plain.text, JSON.stringify(plain.json));
    assert.equal(plain.json.data[1].values.length, 12_000);
    const packed = await client.get('/catalog/axes', { 'accept-encoding': 'gzip' });
    assert.equal(packed.text, plain.text);
    const head = await client.head('/catalog/axes');
    assert.equal(head.status, 200);
  });
});
