import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { newSeededBrand, type SeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const daily = '/metrics/daily';
const byMarket = '/metrics/daily?group_by=market';
const contents = '/metrics/contents';
const users = '/users/daily';
const engagement = '/users/contents';
const all = [daily, byMarket, contents, users, engagement];

let brand: SeededBrand;
let yesterday: string;

beforeEach(async () => {
  yesterday = yesterdayOf(apps.clock.now());
  brand = await newSeededBrand(apps, { users: ['a', 'b'], contents: ['episode/c0'], markets: ['north'] });
  await brand.send(['a', 'b'].map((user) => ({ day: yesterday, user, market: 'north' })));
  await brand.aggregate({ from: addDays(yesterday, -1), to: yesterday });
});

const get = (path: string, tag?: string) =>
  brand.client.request(
    'GET',
    `/analytics${path}`,
    tag === undefined ? {} : { headers: { 'if-none-match': tag } },
  );

const tagOf = async (path: string) => (await get(path)).headers['etag'] as string;

/** Runs the change, and returns the paths whose tag from before is no longer current. */
async function changedBy(change: () => Promise<unknown>): Promise<string[]> {
  const tags = new Map<string, string>();
  for (const path of all) tags.set(path, await tagOf(path));
  await change();
  const changed: string[] = [];
  for (const [path, tag] of tags) {
    const { status, text, headers } = await get(path, tag);
    if (status === 304) assert.deepEqual([text, headers['etag']], ['', tag]);
    else {
      assert.equal(status, 200, text);
      changed.push(path);
    }
  }
  return changed;
}

// [analytics-48]
describe('a page of a dataset', () => {
  it('has the revision of its window and the last day of the dataset, also as a 304', async () => {
    await brand.aggregate({ from: yesterday, to: yesterday });
    for (const path of all) {
      const page = await get(path);
      for (const { headers } of [page, await get(path, page.headers['etag'] as string)])
        assert.deepEqual(
          [headers['brandport-window-revision'], headers['brandport-latest-date']],
          ['2', yesterday],
        );
    }
    const early = await get(`${users}?to=${addDays(yesterday, -1)}`);
    assert.equal(early.headers['brandport-window-revision'], '1');
    const empty = await get(`${users}?from=2020-01-01&to=2020-01-02`);
    assert.deepEqual([empty.headers['brandport-window-revision'], empty.status], ['0', 200]);
    const fresh = await apps.newBrand();
    const { headers } = await fresh.client.get(`/analytics${contents}`);
    assert.deepEqual(
      [headers['brandport-window-revision'], headers['brandport-latest-date']],
      ['0', undefined],
    );
  });
});

// [analytics-49]
describe('the tag of a page', () => {
  it('is current while nothing changes, and differs by path, query and brand', async () => {
    assert.deepEqual(await changedBy(async () => {}), []);
    const tags = await Promise.all([...all, `${users}?per_page=7`, `${users}?user=a`].map(tagOf));
    assert.equal(new Set(tags).size, tags.length);
  });

  it('changes at once with an opt-out, an opt-in and an erasure', async () => {
    const optOut = (isOut: boolean) => brand.put('users', [{ tu_id: 'a', analytics_opt_out: isOut }]);
    const tag = await tagOf(users);
    const visible = [byMarket, contents, users, engagement];
    assert.deepEqual(await changedBy(() => optOut(true)), visible);
    assert.equal((await get(users, tag)).json.data.length, 1);
    assert.deepEqual(await changedBy(() => optOut(false)), visible);
    assert.equal((await get(users, tag)).json.data.length, 2);
    await changedBy(() => apps.admin.delete(`/brands/${brand.brandId}/users/a`));
    assert.equal((await get(users, tag)).json.data.length, 1);
  });

  it('changes at once with the name of a content and its deletion, and with the deletion of a market', async () => {
    const tag = await tagOf(contents);
    await brand.put('contents', [{ type: 'episode', tu_id: 'c0', name: 'Renamed' }]);
    assert.equal((await get(contents, tag)).json.data[0].content.name, 'Renamed');
    const renamed = await tagOf(contents);
    await apps.admin.delete(`/brands/${brand.brandId}/contents/episode/c0`);
    assert.equal((await get(contents, renamed)).json.data[0].content, null);
    const markets = await tagOf(byMarket);
    await apps.admin.delete(`/brands/${brand.brandId}/markets/north`);
    assert.deepEqual((await get(byMarket, markets)).json.data, []);
  });

  it('changes with an aggregation of a day of its window, and with no other', async () => {
    const early = `${users}?to=${addDays(yesterday, -1)}`;
    const tag = await tagOf(early);
    assert.deepEqual(await changedBy(() => brand.aggregate({ from: yesterday, to: yesterday })), all);
    assert.equal((await get(early, tag)).status, 304);
  });

  it('changes at midnight, if the window depends on it', async () => {
    const fixed = `${users}?from=${yesterday}&to=${yesterday}`;
    const [ofFixed, ofDefault] = [await tagOf(fixed), await tagOf(users)];
    apps.clock.advance(86_400_000);
    assert.deepEqual([(await get(fixed, ofFixed)).status, (await get(users, ofDefault)).status], [304, 200]);
  });

  it('does not hide a filter that finds nothing any more, or an expired cursor', async () => {
    const one = `${users}?user=a`;
    const tag = await tagOf(one);
    assert.equal((await get(one, tag)).status, 304);
    await brand.put('users', [{ tu_id: 'a', analytics_opt_out: true }]);
    assert.equal((await get(one, tag)).status, 404);
    const first = await get(`${engagement}?per_page=1`);
    const later = `${engagement}?per_page=1&cursor=${first.json.meta.next_cursor}`;
    const laterTag = await tagOf(later);
    assert.equal((await get(later, laterTag)).status, 304);
    apps.clock.advance(25 * 3_600_000);
    assert.equal((await get(later, laterTag)).status, 400);
  });

  it('is not current when half of the life of the cursor in its page has passed', async () => {
    const query = `?from=${yesterday}&to=${yesterday}`;
    const [cut, whole] = [`${users}${query}&per_page=1`, `${users}${query}`];
    const [ofCut, ofWhole] = [await tagOf(cut), await tagOf(whole)];
    const statuses = async () => [(await get(cut, ofCut)).status, (await get(whole, ofWhole)).status];
    apps.clock.advance(11 * 3_600_000);
    assert.deepEqual(await statuses(), [304, 304]);
    apps.clock.advance(2 * 3_600_000);
    assert.deepEqual(await statuses(), [200, 304]);
  });
});
