import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { newSeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const day = { from: yesterday, to: yesterday };

describe('a filter', () => {
  // [analytics-16]
  it('by an unknown, opted-out or erased learner, or one of another brand, gets the same bytes', async () => {
    const brand = await newSeededBrand(apps, { users: ['shown', 'out', 'gone'] });
    const other = await newSeededBrand(apps, { users: ['foreign'] });
    await brand.send(['shown', 'out', 'gone'].map((user) => ({ day: yesterday, user })));
    await other.send([{ day: yesterday, user: 'foreign' }]);
    await Promise.all([brand.aggregate(day), other.aggregate(day)]);
    await brand.put('users', [{ tu_id: 'out', analytics_opt_out: true }]);
    assert.equal((await apps.admin.delete(`/brands/${brand.brandId}/users/gone`)).status, 204);

    for (const path of ['/users/daily', '/users/contents']) {
      assert.equal((await brand.client.get(`/analytics${path}?user=shown`)).json.data.length, 1);
      const answers = [];
      for (const user of ['unknown', 'out', 'gone', 'foreign', '', '1', 'é', 'x'.repeat(5_000)]) {
        const { status, text, headers } = await brand.client.get(
          `/analytics${path}?user=${encodeURIComponent(user)}`,
        );
        const { 'x-request-id': _id, date: _date, ...same } = headers;
        answers.push(JSON.stringify([status, text, same]));
      }
      assert.equal(new Set(answers).size, 1, answers.join('\n'));
      assert.match(answers[0] as string, /^\[404,.*not_found/);
    }
  });

  // [analytics-15]
  it('by an unknown, unlisted or orphaned content or market, or one of another brand, gets the same bytes', async () => {
    const brand = await newSeededBrand(apps, { contents: ['episode/shown', 'episode/gone', 'program/twin'] });
    const other = await newSeededBrand(apps, { contents: ['episode/foreign'], markets: ['foreign'] });
    await brand.send([
      { day: yesterday, content: 'shown' },
      { day: yesterday, content: 'gone' },
      { day: yesterday, content: 'orphan' },
    ]);
    await other.aggregate(day);
    await brand.aggregate(day);
    assert.equal((await apps.admin.delete(`/brands/${brand.brandId}/contents/episode/gone`)).status, 204);

    const answers = new Set<string>();
    for (const path of ['/metrics/contents', '/users/contents'])
      for (const content of ['unknown', 'gone', 'orphan', 'foreign', 'twin', '']) {
        const { status, text } = await brand.client.get(`/analytics${path}?type=episode&content=${content}`);
        answers.add(`${status} ${text}`);
      }
    for (const market of ['unknown', 'foreign', '']) {
      const { status, text } = await brand.client.get(`/analytics/metrics/daily?market=${market}`);
      answers.add(`${status} ${text}`);
    }
    assert.equal(answers.size, 1);
    const found = await brand.client.get('/analytics/metrics/contents?type=episode&content=shown');
    assert.equal(found.json.data.length, 1);
  });
});

describe('exclusion', () => {
  // [analytics-29] [analytics-30]
  it('affects the whole window of user-level lists at once, and other lists when a day is aggregated again', async () => {
    const brand = await newSeededBrand(apps, { users: ['a', 'b'] });
    const days = { from: addDays(yesterday, -1), to: yesterday };
    await brand.send([
      { day: days.from, user: 'a' },
      { day: days.to, user: 'a' },
      { day: days.to, user: 'b' },
    ]);
    await brand.aggregate(days);
    const learnersOf = async () => {
      const lists = [];
      for (const path of ['/users/daily', '/users/contents']) {
        const { json } = await brand.client.get(`/analytics${path}`);
        lists.push(json.data.map((row: { user: { tu_id: string } }) => row.user.tu_id).join(''));
      }
      return lists;
    };
    const viewsOf = async () => {
      const { json } = await brand.client.get('/analytics/metrics/daily?per_page=200');
      return json.data.slice(-2).map(({ totals }: { totals: { views: number } }) => totals.views);
    };
    const assertShown = async (learners: string, views: number[]) =>
      assert.deepEqual([await learnersOf(), await viewsOf()], [[learners, learners], views]);
    await assertShown('aab', [1, 2]);

    await brand.put('users', [{ tu_id: 'a', analytics_opt_out: true }]);
    await assertShown('b', [1, 2]);

    await brand.put('users', [{ tu_id: 'a', analytics_opt_out: false }]);
    await assertShown('aab', [1, 2]);

    await brand.put('users', [{ tu_id: 'a', analytics_opt_out: true }]);
    await brand.aggregate({ from: days.to, to: days.to });
    await assertShown('b', [1, 1]);
  });

  // [analytics-27]
  it('can leave pages sparse or even empty before the end of a walk', async () => {
    const users = Array.from({ length: 9 }, (_, index) => `u${index}`);
    const brand = await newSeededBrand(apps, { users });
    await brand.send(users.map((user) => ({ day: yesterday, user })));
    await brand.aggregate(day);
    await brand.put(
      'users',
      users.slice(2, 7).map((tu_id) => ({ tu_id, analytics_opt_out: true })),
    );
    const lengths = [];
    let cursor = '';
    do {
      const { json } = await brand.client.get(`/analytics/users/daily?per_page=3&cursor=${cursor}`);
      lengths.push(json.data.length);
      cursor = json.meta.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(lengths, [2, 0, 2]);
  });
});

describe('a response', () => {
  // [analytics-28]
  it('contains no internal id', async () => {
    const brand = await newSeededBrand(apps, {
      users: ['only'],
      contents: ['episode/only'],
      markets: ['only'],
    });
    // Ids that cannot be mistaken for other numbers.
    const rows = [];
    for (const table of ['learners', 'contents', 'markets'])
      rows.push(
        ...(await apps.sql<{ id: number }>(
          `select setval(pg_get_serial_sequence('${table}', 'id'), 987654321000 + ${rows.length}) as id`,
        )),
      );
    await brand.put('users', [{ tu_id: 'canary-user' }]);
    await brand.put('contents', [{ type: 'episode', tu_id: 'canary-content' }]);
    await brand.put('markets', [{ tu_id: 'canary-market' }]);
    await brand.send([
      { day: yesterday, user: 'canary-user', content: 'canary-content', market: 'canary-market' },
      { day: yesterday, user: 'canary-user', content: 'canary-orphan', market: 'canary-market' },
    ]);
    await brand.aggregate(day);
    for (const path of [
      '/status',
      '/metrics/daily?group_by=market',
      '/metrics/contents?per_page=1',
      '/users/daily',
      '/users/contents?per_page=1',
    ]) {
      const { status, text } = await brand.client.get(`/analytics${path}`);
      assert.equal(status, 200);
      assert.ok(!text.includes('987654321'), text);
    }
  });

  it('has no rows of another brand, even if all names are the same', async () => {
    const names = { users: ['u0'], contents: ['episode/c0'], markets: ['m0'] };
    const [one, other, empty] = await Promise.all([1, 2, 3].map(() => newSeededBrand(apps, names)));
    if (one === undefined || other === undefined || empty === undefined) return assert.fail();
    await one.send([{ day: yesterday, xp_earned: 1, market: 'm0' }]);
    await other.send([1, 2].map(() => ({ day: yesterday, xp_earned: 10, market: 'm0' })));
    await Promise.all([one, other, empty].map((brand) => brand.aggregate(day)));
    const xpOf = async (path: string, client: typeof one.client) => {
      const { json } = await client.get(`/analytics${path}`);
      return json.data.map((row: { metrics?: { xp_earned: number }; totals?: { xp_earned: number } }) =>
        row.metrics === undefined ? row.totals?.xp_earned : row.metrics.xp_earned,
      );
    };
    for (const path of ['/metrics/contents', '/users/daily', '/users/contents', '/users/daily?user=u0']) {
      assert.deepEqual(await xpOf(path, one.client), [1], path);
      assert.deepEqual(await xpOf(path, other.client), [20], path);
      assert.deepEqual(await xpOf(path, empty.client), [], path);
    }
    const market = `/metrics/daily?market=m0&from=${yesterday}`;
    assert.deepEqual(
      [await xpOf(market, one.client), await xpOf(market, other.client), await xpOf(market, empty.client)],
      [[1], [20], [0]],
    );
  });
});
