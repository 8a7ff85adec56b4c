import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { statementsOf } from '../../../test/support/statements-of.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { applyBrandFeeds } from '../../catalog/feeds/apply-feeds.ts';
import { chunksOf, sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { newLocation, newSimple } from '../../catalog/stock/tests/stock.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps({ limits: { catalog_key_writes: 2 } });
const { admin, clock, sql } = apps;
const hourMs = 3_600_000;

// Half past: the hour of the clock does not end during a test. The database keeps its own time.
clock.advance(1.5 * hourMs - (clock.now() % hourMs));
const thisHour = Math.floor(clock.now() / hourMs) * hourMs;

interface Hour {
  readonly at: string;
  readonly [count: string]: unknown;
}

async function activityOf(path: string, client = admin): Promise<Hour[]> {
  await apps.keyUsage.flush();
  return (await ok(client.get(path))).data;
}

const none = { requests: 0, refused: 0, denied: 0, failed: 0, feed_lines: 0, refused_lines: 0, events: 0 };

/** The sums over hours of all counts. */
function sumOf(hours: readonly Hour[]) {
  const sum = { ...none };
  for (const hour of hours)
    for (const name of Object.keys(none) as (keyof typeof none)[]) sum[name] += Number(hour[name]);
  return sum;
}

/** Stores requests of a key in the hour that began `hours` before the current one. */
function addRequests(brandId: number, hours: number, requests: number) {
  return sql(
    `insert into api_key_usage (brand_id, hour, key_id, operation, requests, denied, refused, failed)
     values ($1, $2, 'tuk_1', 'listProducts', $3, 0, 0, 0)`,
    [brandId, new Date(thisHour - hours * hourMs), requests],
  );
}

/** Stores a feed of a brand that has decided lines, with the times of its end and of its last work. */
function addFeed(brandId: number, batch: string, finishedAt: number | null, totals: object) {
  return sql(
    `insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, totals, received_at,
       worked_at, finished_at)
     values ($1, $2, $2, '', 'test', case when $3::timestamptz is null then 'processing' else 'completed' end, 100, $4,
       $5, $5, $3)`,
    [brandId, batch, finishedAt && new Date(finishedAt), totals, new Date(finishedAt ?? clock.now())],
  );
}

// [internal-195] [D143]
describe('the activity of a brand', () => {
  it('counts requests, lines of feeds and events by hour, the oldest first', async () => {
    const brand = await newSeededBrand(apps, { users: ['a'] });
    const path = `/brands/${brand.brandId}/activity`;
    await newSimple(brand.client, 'KNOWN');
    await brand.client.get('/catalog/products');
    assert.equal((await brand.client.get('/catalog/products/none')).status, 404);
    assert.equal((await brand.client.create('/catalog/products', {})).status, 422);
    assert.equal((await brand.client.create('/catalog/products', { sku: 'X' })).status, 429);
    await sql('alter table stock_locations rename to locations_away');
    assert.equal((await brand.client.get('/catalog/stock/locations')).status, 500);
    await sql('alter table locations_away rename to stock_locations');
    const other = await apps.newKey(brand.brandId);
    await newLocation(other.client, 'WH');
    const sent = await sendFeed(other.client, [
      { sku: 'KNOWN', location_code: 'none', quantity: 1 },
      { sku: 'NONE', location_code: 'WH', quantity: 1 },
      { sku: 'KNOWN', location_code: 'WH', quantity: 1, updated_at: '2026-01-02T00:00:00Z' },
      { sku: 'KNOWN', location_code: 'WH', quantity: 2, updated_at: '2026-01-01T00:00:00Z' },
    ]);
    assert.equal(sent.status, 202, sent.text);
    const observer = {
      feedFinished: () => {},
      chunkFailed: (_: string, error: unknown) => assert.fail(`${error}`),
    };
    await applyBrandFeeds(apps.context, observer, brand.brandId, { sliceMs: 10_000 });
    await sql('update stock_feeds set finished_at = $2 where brand_id = $1', [
      brand.brandId,
      new Date(thisHour),
    ]);
    const event = {
      event_id: 'e1',
      occurred_at: `${yesterdayOf(clock.now())}T12:00:00Z`,
      kind: 'view',
      user: 'a',
      content: { type: 'episode', tu_id: 'c0' },
    };
    const items = [event, { ...event, event_id: 'e2' }, event, { ...event, event_id: 'e3', user: 'nobody' }];
    for (let times = 0; times < 2; times += 1)
      await ok(admin.post(`/brands/${brand.brandId}/events`, { items }));

    const hours = await activityOf(path);
    assert.deepEqual(
      hours.map(({ at }) => at),
      Array.from({ length: 24 }, (_, index) => new Date(thisHour - (23 - index) * hourMs).toISOString()),
    );
    const { at: _, ...now } = hours[23] as Hour;
    assert.deepEqual(now, {
      requests: 8,
      refused: 2,
      denied: 1,
      failed: 1,
      feed_lines: 4,
      refused_lines: 2,
      events: 2,
    });
    assert.deepEqual(sumOf(hours), now, 'nothing in the hours before');
    const usage = await ok(admin.get(`/brands/${brand.brandId}/key-usage`));
    assert.deepEqual(
      [...new Set(usage.data.map(({ key_id }: { key_id: string }) => key_id))].sort(),
      [brand.keyId, other.keyId].sort(),
      'events are not shown as requests of a key',
    );
  });

  it('begins with the whole hour, and takes 1 to 168 hours', async () => {
    const { brandId } = await apps.newBrand();
    const path = `/brands/${brandId}/activity`;
    for (const [hours, requests] of [
      [0, 1],
      [1, 10],
      [47, 100],
      [48, 1_000],
      [167, 10_000],
      [168, 100_000],
    ] as const)
      await addRequests(brandId, hours, requests);
    const first = thisHour - 47 * hourMs;
    await addFeed(brandId, 'before', first - 1, { applied: 1 });
    await addFeed(brandId, 'at', first, { applied: 10, unknown_sku: 20 });
    await addFeed(brandId, 'in-work', null, { unchanged: 300 });
    await addFeed(brandId, 'later', thisHour + 1, { stale: 4_000 });
    for (const [hours, requests, lines] of [
      [1, 1, 4_300],
      [2, 11, 4_300],
      [48, 111, 4_330],
      [168, 11_111, 4_331],
    ] as const) {
      const shown = await activityOf(`${path}?hours=${hours}`);
      const sum = sumOf(shown);
      assert.deepEqual([shown.length, sum.requests, sum.feed_lines], [hours, requests, lines]);
    }
    const [oldest] = await activityOf(`${path}?hours=48`);
    assert.deepEqual(oldest, {
      ...none,
      at: new Date(first).toISOString(),
      requests: 100,
      feed_lines: 30,
      refused_lines: 20,
    });
    for (const path of [`/brands/${brandId}/activity`, '/activity'])
      for (const hours of ['0', '169', '-1', '1.5', 'a'])
        assertRefused(await admin.get(`${path}?hours=${hours}`), 'validation_failed', ['hours']);
  });

  it('has the decided lines of a feed that is still in work', async () => {
    const { client, brandId } = await apps.newBrand();
    const lines = Array.from({ length: 2_500 }, (_, n) => ({
      sku: `S${n}`,
      location_code: 'L',
      quantity: 1,
    }));
    await sendFeed(client, lines);
    const observer = { feedFinished: () => {}, chunkFailed: () => {} };
    await applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 0, size: chunksOf(1_000) });
    const { feed_lines, refused_lines } = sumOf(await activityOf(`/brands/${brandId}/activity`));
    assert.deepEqual([feed_lines, refused_lines], [1_000, 1_000]);
  });

  it('is all zeros for a brand without any, and 404 for an unknown brand', async () => {
    const { json: brand } = await admin.post('/brands', { name: 'Empty' });
    const hours = await activityOf(`/brands/${brand.id}/activity`);
    assert.deepEqual([hours.length, sumOf(hours)], [24, none]);
    for (const id of ['0', '999999', 'x', '99999999999'])
      assertRefused(await admin.get(`/brands/${id}/activity`), 'not_found');
  });
});

// [internal-195] [internal-126]
it('the activity of all brands adds up those that the caller may see', async () => {
  const [one, two] = [await apps.newBrand(), await apps.newBrand()];
  const before = sumOf(await activityOf('/activity?hours=1'));
  await addRequests(one.brandId, 0, 5);
  await addRequests(two.brandId, 0, 70);
  await addFeed(one.brandId, 'one', thisHour, { applied: 3 });
  await addFeed(two.brandId, 'two', thisHour, { unknown_location: 40 });
  const operator = await newAdministrator(apps, 'operator', [one.brandId]);
  const support = await newAdministrator(apps, 'support', [two.brandId]);
  const everywhere = await newAdministrator(apps, 'support', null);
  const of = async (path: string, { client } = { client: admin }) => {
    const { requests, feed_lines, refused_lines } = sumOf(await activityOf(path, client));
    return [requests, feed_lines, refused_lines];
  };
  assert.deepEqual(await of('/activity', operator), [5, 3, 0]);
  assert.deepEqual(await of('/activity', support), [70, 40, 40]);
  const { requests, feed_lines, refused_lines } = before;
  for (const caller of [everywhere, { client: admin }])
    assert.deepEqual(await of('/activity?hours=1', caller), [
      ...[requests + 75, feed_lines + 43, refused_lines + 40],
    ]);
  assert.deepEqual(await of(`/brands/${two.brandId}/activity`, support), [70, 40, 40]);
  for (const { client } of [operator, support]) {
    const theirs = client === operator.client ? two : one;
    assertRefused(await client.get(`/brands/${theirs.brandId}/activity`), 'not_found');
  }
});

it('the activity costs the same number of statements with more brands', async () => {
  const count = () => statementsOf(apps.context.database, () => ok(admin.get('/activity')));
  const few = await count();
  for (let index = 0; index < 5; index += 1) await addRequests((await apps.newBrand()).brandId, 0, 1);
  assert.deepEqual(await count(), few);
  assert.deepEqual(few, ['list_feed_hours', 'list_usage_hours']);
});
