import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { admin } = apps;

async function newBrandPath(): Promise<{ path: string; brandId: number }> {
  const { brandId } = await apps.newBrand();
  return { path: `/brands/${brandId}`, brandId };
}

/** One list of the directory: a first item, a changed one, and a wrong value for each of its fields. */
interface Kind {
  readonly list: string;
  readonly item: Record<string, unknown>;
  readonly change: Record<string, unknown>;
  readonly shown: Record<string, unknown>;
  readonly shownAfterChange: Record<string, unknown>;
  readonly itemPath: string;
  readonly wrong: Record<string, unknown[]>;
}

const wrongTuIds = [1, null, '', ' a', 'a/b', 'ä', 'x'.repeat(65), {}, ['a']];
const wrongTexts = [1, true, {}, [], '', 'x'.repeat(256), 'a\u0000b', '\ud800'];
const wrongBooleans = ['true', 1, null, {}];

const kinds: readonly Kind[] = [
  {
    list: 'markets',
    item: { tu_id: 'm-1', name: 'North' },
    change: { tu_id: 'm-1', name: 'Nørth 🧭' },
    shown: { tu_id: 'm-1', name: 'North' },
    shownAfterChange: { tu_id: 'm-1', name: 'Nørth 🧭' },
    itemPath: 'markets/m-1',
    wrong: { tu_id: wrongTuIds, name: wrongTexts },
  },
  {
    list: 'pos',
    item: { tu_id: 'p-1', name: 'Shop' },
    change: { tu_id: 'p-1', name: 'Corner shop' },
    shown: { tu_id: 'p-1', name: 'Shop', location: null },
    shownAfterChange: { tu_id: 'p-1', name: 'Corner shop', location: null },
    itemPath: 'pos/p-1',
    wrong: { tu_id: wrongTuIds, name: wrongTexts, location: [1, true, {}, '', 'x'.repeat(65)] },
  },
  {
    list: 'users',
    item: { tu_id: 'u-1' },
    change: { tu_id: 'u-1', analytics_opt_out: true },
    shown: { tu_id: 'u-1', market: null, analytics_opt_out: false },
    shownAfterChange: { tu_id: 'u-1', market: null, analytics_opt_out: true },
    itemPath: 'users/u-1',
    wrong: { tu_id: wrongTuIds, market: [1, {}, 'none', 'a\u0000', ''], analytics_opt_out: wrongBooleans },
  },
  {
    list: 'contents',
    item: { type: 'episode', tu_id: 'c-1', name: 'One' },
    change: { type: 'episode', tu_id: 'c-1', is_live: false },
    shown: { type: 'episode', tu_id: 'c-1', name: 'One', is_live: true },
    shownAfterChange: { type: 'episode', tu_id: 'c-1', name: 'One', is_live: false },
    itemPath: 'contents/episode/c-1',
    wrong: {
      tu_id: wrongTuIds,
      name: wrongTexts,
      is_live: wrongBooleans,
      type: ['lesson', '', 1, null],
    },
  },
];

for (const { list, item, change, shown, shownAfterChange, itemPath, wrong } of kinds) {
  // [internal-27] [internal-31]
  test(`${list}: an upsert creates missing items and updates the given fields`, async () => {
    const { path } = await newBrandPath();
    const first = await admin.put(`${path}/${list}`, { items: [item] });
    assert.deepEqual([first.status, first.json], [200, { upserted: 1 }]);
    assert.deepEqual(await listed(path, list), [shown]);
    await admin.put(`${path}/${list}`, { items: [change] });
    assert.deepEqual(await listed(path, list), [shownAfterChange]);
    await admin.put(`${path}/${list}`, { items: [] });
    assert.deepEqual(await listed(path, list), [shownAfterChange]);
  });

  // [internal-28]
  test(`${list}: each wrong value is 422 at its index and nothing is written`, async () => {
    const { path } = await newBrandPath();
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const answer = await admin.put(`${path}/${list}`, {
          items: [item, { ...item, tu_id: 'other', [field]: value }],
        });
        assert.equal(answer.status, 422, `${field} = ${JSON.stringify(value)}: ${answer.text}`);
        assert.deepEqual(Object.keys(answer.json.errors), [`items.1.${field}`]);
      }
    const twice = await admin.put(`${path}/${list}`, { items: [item, item] });
    assert.deepEqual(twice.json.errors, { 'items.1.tu_id': ['is a duplicate'] });
    assert.deepEqual(await listed(path, list), []);
  });

  // [internal-27]
  test(`${list}: 10,000 items are accepted at once and 10,001 are rejected`, async () => {
    const { path } = await newBrandPath();
    const items = Array.from({ length: 10_001 }, (_, i) => ({ ...item, tu_id: `many-${i}` }));
    assert.equal((await admin.put(`${path}/${list}`, { items })).status, 422);
    const answer = await admin.put(`${path}/${list}`, { items: items.slice(0, 10_000) });
    assert.deepEqual(answer.json, { upserted: 10_000 });
    const page = await admin.get(`${path}/${list}?per_page=200&page=50`);
    assert.deepEqual(page.json.meta, { current_page: 50, per_page: 200, total: 10_000, last_page: 50 });
    assert.equal(page.json.data.length, 200);
  });

  test(`${list}: a deleted item is no longer listed, and a second deletion is 404`, async () => {
    const { path } = await newBrandPath();
    await admin.put(`${path}/${list}`, { items: [item] });
    const other = await newBrandPath();
    assert.equal((await admin.delete(`${other.path}/${itemPath}`)).status, 404);
    assert.equal((await admin.delete(`${path}/${itemPath}`)).status, 204);
    assert.equal((await admin.delete(`${path}/${itemPath}`)).status, 404);
    assert.deepEqual(await listed(path, list), []);
  });

  test(`${list}: an unknown brand is 404`, async () => {
    for (const id of ['999999', '0', 'x', '99999999999999999999']) {
      assert.equal((await admin.put(`/brands/${id}/${list}`, { items: [item] })).status, 404);
      assert.equal((await admin.get(`/brands/${id}/${list}`)).status, 404);
    }
  });

  test(`${list}: 20 concurrent upserts of the same items all succeed and create each item once`, async () => {
    const { path } = await newBrandPath();
    const items = Array.from({ length: 50 }, (_, i) => ({ ...item, tu_id: `r-${i}` }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        admin.put(`${path}/${list}`, { items: i % 2 === 0 ? items : items.toReversed() }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal((await listed(path, list)).length, 50);
  });
}

// [internal-29]
test('users: no personal attribute is accepted', async () => {
  const { path } = await newBrandPath();
  for (const key of ['email', 'name', 'first_name', 'constructor', '__proto__']) {
    const body = `{"items":[{"tu_id":"u","${key}":"x"}]}`;
    const answer = await admin.put(`${path}/users`, body);
    assert.equal(answer.status, 422, key);
    assert.deepEqual(answer.json.errors, { [`items.0.${key}`]: ['is not allowed'] });
  }
  assert.deepEqual(await listed(path, 'users'), []);
});

// [internal-30]
test('users: market null clears it, only for the learners that have it; absent keeps it', async () => {
  const { path } = await newBrandPath();
  const users = (items: object[]) => admin.put(`${path}/users`, { items });
  const markets = async () =>
    (await admin.get(`${path}/users`)).json.data.map((user: { market: string | null }) => user.market);
  await admin.put(`${path}/markets`, { items: [{ tu_id: 'm-1' }, { tu_id: 'm-2' }] });
  await users([
    { tu_id: 'a', market: 'm-1' },
    { tu_id: 'b', market: 'm-1' },
    { tu_id: 'c', market: 'm-1' },
  ]);
  const changed = await users([{ tu_id: 'a', market: null }, { tu_id: 'b' }, { tu_id: 'c', market: 'm-2' }]);
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(await markets(), [null, 'm-1', 'm-2']);
  const [before] = (await admin.get(`${path}/users`)).json.data;
  await users([
    { tu_id: 'a', market: null },
    { tu_id: 'd', market: null },
  ]);
  const [after] = (await admin.get(`${path}/users`)).json.data;
  assert.equal(after.updated_at, before.updated_at);
  assert.deepEqual(await markets(), [null, 'm-1', 'm-2', null]);
});

// [internal-30]
test('users: an unknown market is 422 at its item, a known one is kept by an upsert without it', async () => {
  const { path } = await newBrandPath();
  const foreign = await newBrandPath();
  await admin.put(`${foreign.path}/markets`, { items: [{ tu_id: 'theirs' }] });
  await admin.put(`${path}/markets`, { items: [{ tu_id: 'ours' }] });
  const refused = await admin.put(`${path}/users`, {
    items: [
      { tu_id: 'a', market: 'ours' },
      { tu_id: 'b', market: 'theirs' },
    ],
  });
  assert.deepEqual(refused.json.errors, { 'items.1.market': ['is not a market of the brand'] });
  await admin.put(`${path}/users`, { items: [{ tu_id: 'a', market: 'ours', analytics_opt_out: true }] });
  await admin.put(`${path}/users`, { items: [{ tu_id: 'a' }] });
  assert.deepEqual(await listed(path, 'users'), [{ tu_id: 'a', market: 'ours', analytics_opt_out: true }]);
  assert.equal((await admin.delete(`${path}/markets/ours`)).status, 204);
  assert.deepEqual(await listed(path, 'users'), [{ tu_id: 'a', market: null, analytics_opt_out: true }]);
});

// [internal-31]
test('contents: a deleted one that is sent again is like a new one', async () => {
  const { path } = await newBrandPath();
  await admin.put(`${path}/contents`, {
    items: [{ type: 'quest', tu_id: 'q', name: 'Old', is_live: false }],
  });
  await admin.delete(`${path}/contents/quest/q`);
  await admin.put(`${path}/contents`, { items: [{ type: 'quest', tu_id: 'q' }] });
  assert.deepEqual(await listed(path, 'contents'), [
    { type: 'quest', tu_id: 'q', name: null, is_live: true },
  ]);
});

/** The whole list, without its timestamps. */
async function listed(path: string, list: string): Promise<unknown[]> {
  const answer = await admin.get(`${path}/${list}?per_page=200`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data.map(({ created_at, updated_at, ...rest }: Record<string, unknown>) => {
    assert.ok(created_at !== undefined && updated_at !== undefined);
    return rest;
  });
}

const headers = { 'content-type': 'application/json' };

test('a list takes 8 MiB, and no more', async () => {
  const { path } = await newBrandPath();
  const bodyOf = (bytes: number) => {
    const items = Array.from({ length: 9_000 }, (_, n) => ({ tu_id: `m-${n}`, name: '🧭'.repeat(225) }));
    const text = JSON.stringify({ items });
    return text + ' '.repeat(bytes - Buffer.byteLength(text));
  };
  const limit = 8 * 1_048_576;
  const put = (bytes: number) => admin.request('PUT', `${path}/markets`, { body: bodyOf(bytes), headers });
  const most = await put(limit);
  assert.equal(most.status, 200, most.text);
  assert.equal((await put(limit + 1)).status, 413);
});

// [platform-23] [D292]
test('a list of more than 1 MiB has at most 150,000 values', async () => {
  const { path } = await newBrandPath();
  // The body, `items`, the item, its `tu_id`, `name` and `x`, then the members. Commas in a string are no values.
  const put = (members: number, bytes = 1_048_577) =>
    admin.request('PUT', `${path}/markets`, {
      body: `{"items":[{"tu_id":"m-1","name":",,,","x":[${'1,'.repeat(members - 1)}1]}]}`.padEnd(bytes),
      headers,
    });
  const most = 150_000 - 6;
  assert.equal((await put(most)).status, 200);
  const refused = await put(most + 1);
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.json.errors, { body: ['must have at most 150000 values'] });
  assert.equal((await put(most + 1, 1_048_576)).status, 200);
});
