import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const { admin, sql } = await createTestApps();
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const defaults = { currency: 'EUR', default_language: 'en', low_stock_threshold: 5, stale_after_hours: null };

const unknownIds = [
  '999999',
  '0',
  '-1',
  '01',
  '1.5',
  'abc',
  '2147483648',
  '99999999999999999999',
  '%00',
  '%20',
  '١',
];

describe('creating a brand', () => {
  // [internal-16]
  it('uses defaults for absent settings', async () => {
    const { status, json } = await admin.post('/brands', { name: 'Maison Aurore' });
    assert.equal(status, 201);
    const { id, created_at, updated_at, ...rest } = json;
    assert.deepEqual(rest, { name: 'Maison Aurore', settings: defaults });
    assert.ok(Number.isInteger(id));
    assert.match(created_at, timestamp);
    assert.equal(updated_at, created_at);
    const { summary: _, figures: __, ...read } = (await admin.get(`/brands/${id}`)).json;
    assert.deepEqual(read, json);
  });

  it('accepts settings up to their limits, and ignores unknown keys', async () => {
    const settings = {
      currency: 'JPY',
      default_language: 'zh-Hant-TW',
      low_stock_threshold: 0,
      stale_after_hours: 1,
    };
    const name = `${'é'.repeat(254)}🦊`;
    const body = { name, id: 7, settings: { ...settings, color: 'red' }, created_at: 'never' };
    const { status, json } = await admin.post('/brands', body);
    assert.equal(status, 201);
    assert.deepEqual([json.name, json.settings], [name, settings]);
    assert.notEqual(json.created_at, 'never');
    const most = { low_stock_threshold: 2147483647, stale_after_hours: 2147483647 };
    const largest = await admin.post('/brands', { name: 'L', settings: most });
    assert.deepEqual(largest.json.settings, { ...defaults, ...most });
  });

  it('does not read settings from a __proto__ key', async () => {
    const { json } = await admin.post('/brands', '{"name":"P","settings":{"__proto__":{"currency":"USD"}}}');
    assert.deepEqual(json.settings, defaults);
  });

  it('reports every invalid field at once and creates nothing', async () => {
    const count = await brandCount();
    const answer = await admin.post('/brands', {
      name: '',
      settings: { currency: 'eur', stale_after_hours: 0 },
    });
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.json.errors).sort(), [
      'name',
      'settings.currency',
      'settings.stale_after_hours',
    ]);
    assert.equal(await brandCount(), count);
  });

  for (const body of [undefined, '', '[]', 'null', '"x"', '{', '{}', '{"name":"A","settings":null}'])
    it(`rejects the body ${JSON.stringify(body)}`, async () => {
      assert.equal((await admin.post('/brands', body)).status, 422);
    });
});

describe('changing a brand', () => {
  // [internal-17]
  it('merges settings and moves updated_at', async () => {
    const { json: brand } = await admin.post('/brands', { name: 'A', settings: { currency: 'SEK' } });
    const { status, json } = await admin.patch(`/brands/${brand.id}`, {
      settings: { stale_after_hours: 48 },
    });
    assert.equal(status, 200);
    assert.deepEqual(json.settings, { ...brand.settings, stale_after_hours: 48 });
    assert.deepEqual([json.name, json.created_at], [brand.name, brand.created_at]);
    assert.ok(json.updated_at >= brand.updated_at);
    const renamed = await admin.patch(`/brands/${brand.id}`, {
      name: 'B',
      settings: { stale_after_hours: null },
    });
    assert.deepEqual([renamed.json.name, renamed.json.settings], ['B', brand.settings]);
    const { summary: _, figures: __, ...read } = (await admin.get(`/brands/${brand.id}`)).json;
    assert.deepEqual(read, renamed.json);
  });

  it('to the current values changes nothing', async () => {
    const { json: brand } = await admin.post('/brands', { name: 'A' });
    for (const body of [{}, { name: 'A' }, { settings: {} }, { settings: defaults }, { unknown: 1 }])
      assert.deepEqual((await admin.patch(`/brands/${brand.id}`, body)).json, brand);
  });

  it('of different settings by concurrent requests loses none of them', async () => {
    const { json: brand } = await admin.post('/brands', { name: 'A' });
    const settings = {
      currency: 'USD',
      default_language: 'fr',
      low_stock_threshold: 9,
      stale_after_hours: 3,
    };
    const parts = Object.entries(settings).map(([key, value]) => ({ settings: { [key]: value } }));
    await Promise.all([...parts, { name: 'B' }].map((body) => admin.patch(`/brands/${brand.id}`, body)));
    const { json } = await admin.get(`/brands/${brand.id}`);
    assert.deepEqual([json.name, json.settings], ['B', settings]);
  });
});

// [internal-18]
describe('a brand that does not exist', () => {
  for (const id of unknownIds)
    it(`is a 404 under the id ${id}`, async () => {
      for (const answer of [
        await admin.get(`/brands/${id}`),
        await admin.patch(`/brands/${id}`, { name: 'A' }),
      ])
        assert.deepEqual([answer.status, answer.json.code], [404, 'not_found']);
    });
});

describe('the list of brands', () => {
  it('has every brand once, oldest first, page by page', async () => {
    for (const name of ['1', '2', '3']) await admin.post('/brands', { name });
    const total = await brandCount();
    const seen: number[] = [];
    for (let page = 1; page <= Math.ceil(total / 2); page += 1) {
      const { json } = await admin.get(`/brands?page=${page}&per_page=2`);
      assert.deepEqual(json.meta, {
        current_page: page,
        per_page: 2,
        total,
        last_page: Math.ceil(total / 2),
      });
      seen.push(...json.data.map((brand: { id: number }) => brand.id));
    }
    assert.equal(seen.length, total);
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
    );
  });

  it('clamps per_page, and has no rows on a page after the last', async () => {
    const { json } = await admin.get('/brands?per_page=100000&page=99999999999999999999');
    assert.deepEqual([json.data, json.meta.per_page, json.meta.total], [[], 200, await brandCount()]);
  });

  for (const query of ['page=0', 'page=-1', 'page=x', 'page=1.5', 'per_page=0', 'per_page=', 'page=1&page=2'])
    it(`rejects ${query}`, async () => assert.equal((await admin.get(`/brands?${query}`)).status, 422));
});

async function brandCount(): Promise<number> {
  const rows = await sql<{ count: number }>('select count(*) as count from brands');
  return Number(rows[0]?.count);
}

// [internal-186]
describe('the tag of a brand', () => {
  it('changes with each change, and a change of an earlier state is refused', async () => {
    const { json, headers: made } = await admin.post('/brands', { name: 'Tagged' });
    assert.equal(made['etag'], undefined);
    const path = `/brands/${json.id}`;
    const tag = String((await admin.get(path)).headers['etag']);
    const change = (value: number, ifMatch: string) =>
      admin.patch(path, { settings: { low_stock_threshold: value } }, { 'if-match': ifMatch });
    const first = await change(33, tag);
    assert.equal(first.status, 200);
    assert.notEqual(first.headers['etag'], tag);
    assertRefused(await admin.patch(path, { name: 'Lost' }, { 'if-match': tag }), 'precondition_failed');
    for (const none of ['"', 'x', '""', '"a", "b"'])
      assertRefused(await change(1, none), 'precondition_failed');
    const now = (await admin.get(path)).headers['etag'];
    assert.equal(now, first.headers['etag']);
    const second = await change(34, `"other", W/${now}`);
    assert.equal(second.status, 200);
    assert.equal((await change(35, '*')).status, 200);
    assert.equal((await admin.get(path)).json.name, 'Tagged');
    assertRefused(await admin.patch('/brands/999999', { name: 'X' }, { 'if-match': '*' }), 'not_found');
  });

  it('admits one of many changes at once, also back and forth within a millisecond', async () => {
    const path = `/brands/${(await admin.post('/brands', { name: 'Raced' })).json.id}`;
    for (let round = 0; round < 5; round += 1) {
      const tag = String((await admin.get(path)).headers['etag']);
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          admin.patch(path, { name: `Raced ${round} ${n}` }, { 'if-match': tag }),
        ),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 'precondition_failed');
    }
  });
});
