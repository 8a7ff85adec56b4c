// processes: walks through every dataset while it changes
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, type DayRange, yesterdayOf } from '../../day.ts';
import { walk } from '../../tests/pull-rows.ts';
import { newSeededBrand, type SeedEvent, type SeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const range: DayRange = { from: addDays(yesterday, -8), to: yesterday };
const users = Array.from({ length: 20 }, (_, index) => `u${index}`);
const contents = ['episode/c0', 'episode/c1', 'program/p0', 'program/p1'];
const query = { from: range.from, to: range.to };

/** Each list with the SQL that reads its rows at once: the columns that identify a row, and one value. */
const lists = [
  {
    path: '/analytics/metrics/contents',
    sql: `select to_char(d.day, 'YYYY-MM-DD') as date, c.tu_id as content, null as user, d.views
      from analytics.contents d join contents c on c.brand_id = d.brand_id and c.id = d.content_ref_id
      where d.brand_id = $1 order by d.content_ref_id, d.day`,
  },
  {
    path: '/analytics/users/daily',
    sql: `select to_char(d.day, 'YYYY-MM-DD') as date, null as content, u.tu_id as user, d.views
      from analytics.users d join learners u on u.brand_id = d.brand_id and u.id = d.user_id
      where d.brand_id = $1 and not u.analytics_opt_out order by d.user_id, d.day`,
  },
  {
    path: '/analytics/users/contents',
    sql: `select to_char(d.day, 'YYYY-MM-DD') as date, c.tu_id as content, u.tu_id as user, d.views
      from analytics.content_engagement d
      join learners u on u.brand_id = d.brand_id and u.id = d.user_id
      join contents c on c.brand_id = d.brand_id and c.id = d.content_ref_id
      where d.brand_id = $1 and not u.analytics_opt_out order by d.content_ref_id, d.day, d.user_id`,
  },
];

// biome-ignore lint/suspicious/noExplicitAny: rows of three shapes.
const identified = (row: any) => ({
  date: row.date,
  content: row.content?.tu_id ?? null,
  user: row.user?.tu_id ?? null,
  views: row.metrics.views,
});
// biome-ignore lint/suspicious/noExplicitAny: as above.
const keyOf = (row: any) => `${row.date} ${row.content} ${row.user}`;

/** Sends events of every learner with some contents on some days. */
function sample(): SeedEvent[] {
  return users.flatMap((user, u) =>
    Array.from({ length: 14 }, (_, index) => {
      const [type, content] = contents[(u + index) % 4]?.split('/') as [string, string];
      return { day: addDays(range.from, (u * 5 + index * 2) % 9), user, type, content };
    }),
  );
}

async function newFilledBrand(): Promise<SeededBrand> {
  const brand = await newSeededBrand(apps, { users, contents });
  await brand.send(sample());
  await brand.aggregate(range);
  return brand;
}

describe('a walk', () => {
  let brand: SeededBrand;
  before(async () => {
    brand = await newFilledBrand();
  });

  // [analytics-21] [analytics-22]
  for (const { path, sql } of lists)
    for (const perPage of [1, 7, 100, 500])
      it(`over ${path} in pages of ${perPage} returns the rows of one SQL read`, async () => {
        const expected = (await apps.sql(sql, [brand.brandId])).map((row) => ({
          ...row,
          views: Number(row['views']),
        }));
        const { rows, pages } = await walk(brand.client, path, { ...query, per_page: String(perPage) });
        assert.deepEqual(rows.map(identified), expected);
        assert.equal(pages, Math.ceil(expected.length / perPage));
      });

  // [analytics-24]
  it('may change its page size between pages', async () => {
    const path = '/analytics/users/daily';
    const seen = [];
    let cursor = '';
    for (const perPage of [1, 7, 100, 500]) {
      const parameters = new URLSearchParams({ ...query, per_page: String(perPage), cursor });
      const { json } = await brand.client.get(`${path}?${parameters}`);
      seen.push(...json.data);
      cursor = json.meta.next_cursor;
    }
    assert.equal(cursor, null);
    assert.deepEqual(seen, (await walk(brand.client, path, query)).rows);
  });
});

describe('a walk while learners opt out and in', () => {
  for (const { path, sql } of lists.slice(1))
    for (const perPage of [1, 7, 100])
      it(`over ${path} in pages of ${perPage} returns every remaining learner once, in order`, async () => {
        const brand = await newFilledBrand();
        const order = (await apps.sql(sql, [brand.brandId])).map(keyOf);
        const leaving = users.filter((_, index) => index % 3 === 0);
        let step = 0;
        const flip = async () => {
          step += 1;
          if (step % 10 !== 1) return;
          const some = leaving.filter((_, index) => (index + step) % 2 === 0);
          await brand.put(
            'users',
            some.map((tu_id) => ({ tu_id, analytics_opt_out: step % 20 === 1 })),
          );
        };
        const { rows } = await walk(brand.client, path, { ...query, per_page: String(perPage) }, flip);
        const keys = rows.map((row) => keyOf(identified(row)));
        assert.equal(new Set(keys).size, keys.length, 'no row twice');
        assert.deepEqual(
          keys,
          order.filter((key) => keys.includes(key)),
          'in order',
        );
        const staying = new Set(users.filter((user) => !leaving.includes(user)));
        const missing = order.filter(
          (key) => staying.has(key.split(' ')[2] as string) && !keys.includes(key),
        );
        assert.deepEqual(missing, []);
      });
});

// [analytics-41]
describe('a walk while days are aggregated again', () => {
  for (const { path, sql } of lists)
    for (const perPage of [7, 100])
      it(`over ${path} in pages of ${perPage} returns every remaining row once, in order`, async () => {
        const brand = await newFilledBrand();
        const before = (await apps.sql(sql, [brand.brandId])).map(keyOf);
        let step = 0;
        // Late events add and change rows; then their day is replaced.
        const late = async () => {
          step += 1;
          if (step > 12) return;
          const day = addDays(range.from, (step * 4) % 9);
          await brand.send([
            { day, user: users[step] as string, type: 'program', content: 'p1', kind: 'success' },
          ]);
          await brand.aggregate({ from: day, to: day });
        };
        let isWalking = true;
        const background = (async () => {
          while (isWalking) await brand.aggregate({ from: range.from, to: range.to });
        })();
        const { rows } = await walk(
          brand.client,
          path,
          { ...query, per_page: String(perPage) },
          late,
        ).finally(() => {
          isWalking = false;
        });
        await background;
        const keys = rows.map((row) => keyOf(identified(row)));
        const after = (await apps.sql(sql, [brand.brandId])).map(keyOf);
        assert.equal(new Set(keys).size, keys.length, 'no row twice');
        assert.deepEqual(
          keys,
          after.filter((key) => keys.includes(key)),
          'in order',
        );
        assert.deepEqual(
          before.filter((key) => !keys.includes(key)),
          [],
          'no row that was there all the time is missing',
        );
      });
});
