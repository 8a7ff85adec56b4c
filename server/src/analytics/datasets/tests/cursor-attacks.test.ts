import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { newSeededBrand, type SeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const from = addDays(yesterday, -3);
const dayMs = 24 * 3_600_000;
const names = {
  users: ['u0', 'u1', 'u2'],
  contents: ['episode/c0', 'episode/c1', 'program/c0'],
};

let brand: SeededBrand;
let other: SeededBrand;

before(async () => {
  [brand, other] = (await Promise.all([newSeededBrand(apps, names), newSeededBrand(apps, names)])) as [
    SeededBrand,
    SeededBrand,
  ];
  for (const one of [brand, other]) {
    await one.send(
      ['u0', 'u1', 'u2'].flatMap((user) => [
        { day: from, user },
        { day: yesterday, user },
        { day: yesterday, user, content: 'c1' },
        { day: yesterday, user, type: 'program', kind: 'completion' },
      ]),
    );
    await one.aggregate({ from, to: yesterday });
  }
});

const path = '/analytics/users/contents';

async function cursorOf(query: string, list = path, client = brand.client): Promise<string> {
  const { status, json, text } = await client.get(`/${list.slice(1)}?per_page=1&${query}`);
  assert.equal(status, 200, text);
  assert.equal(typeof json.meta.next_cursor, 'string');
  return json.meta.next_cursor;
}

async function assertRefused(query: string, list = path, client = brand.client): Promise<void> {
  const { status, json } = await client.get(`${list}?${query}`);
  assert.deepEqual([status, json.code, json.errors], [400, 'invalid_cursor', undefined], query);
}

async function assertServed(query: string, list = path, client = brand.client): Promise<void> {
  const { status, text } = await client.get(`${list}?${query}`);
  assert.equal(status, 200, text);
}

describe('a cursor', () => {
  // [analytics-23] [analytics-24]
  it('is rejected on another list and for another brand, and accepted from another key of the same brand', async () => {
    const cursor = await cursorOf(`from=${from}&to=${yesterday}`);
    const query = `from=${from}&to=${yesterday}&cursor=${cursor}`;
    await assertRefused(query, '/analytics/users/daily');
    await assertRefused(query, '/analytics/metrics/contents');
    await assertRefused(query, path, other.client);
    const { client } = await apps.newKey(brand.brandId, ['analytics.users:read']);
    await assertServed(query, path, client);
  });

  // [analytics-23]
  it('is rejected with any other filter than its own', async () => {
    const filters = [
      '',
      'user=u1',
      'user=u2',
      'completed=true',
      'completed=false',
      'type=episode',
      'type=program',
      'type=episode&content=c0',
      'type=program&content=c0',
      'type=episode&user=u1',
    ];
    for (const made of filters.filter((filter) => !/completed=true|program|user=/.test(filter))) {
      const cursor = await cursorOf(`from=${from}&${made}`);
      for (const used of filters)
        if (made === used) await assertServed(`from=${from}&${used}&cursor=${cursor}`);
        else await assertRefused(`from=${from}&${used}&cursor=${cursor}`);
    }
  });

  it('is valid for any spelling of the same filter or window', async () => {
    const cursor = await cursorOf(`from=${from}&to=${yesterday}&completed=0`);
    await assertServed(`completed=false&cursor=${cursor}&to=${yesterday}&from=${from}&per_page=2&colour=red`);
  });

  it('is rejected with another window', async () => {
    const cursor = await cursorOf(`from=${from}&to=${yesterday}`);
    for (const window of [
      `from=${addDays(from, 1)}&to=${yesterday}`,
      `from=${from}&to=${addDays(yesterday, -1)}`,
      `from=${from}&to=${addDays(yesterday, 1)}`,
      `to=${yesterday}`,
      '',
    ])
      await assertRefused(`${window}&cursor=${cursor}`);
    const defaulted = await cursorOf('');
    await assertServed(`cursor=${defaulted}`);
    await assertServed(`from=${addDays(yesterday, -7)}&to=${yesterday}&cursor=${defaulted}`);
    await assertRefused(`from=${from}&cursor=${defaulted}`);
  });

  // [analytics-23]
  it('is rejected when it is changed, truncated, foreign or forged', async () => {
    const cursor = await cursorOf(`from=${from}`);
    const changed = [...cursor].map(
      (character, index) =>
        cursor.slice(0, index) + (character === 'A' ? 'B' : 'A') + cursor.slice(index + 1),
    );
    for (const text of [
      ...changed.filter((_, index) => index % 7 === 0),
      cursor.slice(0, -1),
      `${cursor}A`,
      'null',
      'undefined',
      '0',
      '%00',
      '%F0%9F%98%80',
      'A'.repeat(4_000),
      encodeURIComponent(JSON.stringify({ content_ref_id: 1, day: from, user_id: 0 })),
    ])
      await assertRefused(`from=${from}&cursor=${text}`);
  });

  // [analytics-26]
  it('counts as absent when it is empty', async () => {
    const { json } = await brand.client.get(`${path}?from=${from}&cursor=`);
    assert.deepEqual(json, (await brand.client.get(`${path}?from=${from}`)).json);
  });

  it('is checked after the query parameters, and before the existence of resources', async () => {
    const bad = await brand.client.get(`${path}?from=x&cursor=nonsense`);
    assert.equal(bad.status, 422);
    const turned = await brand.client.get(`${path}?from=${yesterday}&to=${from}&cursor=nonsense`);
    assert.equal(turned.status, 422);
    const untyped = await brand.client.get(`${path}?content=c0&cursor=nonsense`);
    assert.equal(untyped.status, 422);
    await assertRefused('user=nobody&cursor=nonsense');
    const { client } = await apps.newKey(brand.brandId, ['analytics.metrics:read']);
    assert.equal((await client.get(`${path}?cursor=nonsense`)).status, 403);
  });
});

// This block is last because it moves the clock.
describe('a walk that continues past midnight', () => {
  it('keeps its original window if the ends are omitted', async () => {
    const query = `from=${addDays(yesterday, -91)}`;
    const [open, begun] = [await cursorOf(''), await cursorOf(query)];
    const rest = (await brand.client.get(`${path}?cursor=${open}`)).json.data;
    apps.clock.advance(dayMs - (apps.clock.now() % dayMs));
    assert.equal(yesterdayOf(apps.clock.now()), addDays(yesterday, 1));
    await brand.send([{ day: addDays(yesterday, 1), user: 'u2', content: 'c1' }]);
    await brand.aggregate({ from: addDays(yesterday, 1), to: addDays(yesterday, 1) });
    assert.deepEqual((await brand.client.get(`${path}?cursor=${open}`)).json.data, rest);
    // With the new yesterday this window would have 93 days.
    await assertServed(`${query}&cursor=${begun}`);
    assert.equal((await brand.client.get(`${path}?${query}`)).status, 422);
    // A client that specifies the new window requests another window.
    await assertRefused(`to=${addDays(yesterday, 1)}&cursor=${open}`);
  });

  it('ends when the cursor expires, 24 hours after the page that returned it', async () => {
    const cursor = await cursorOf('');
    apps.clock.advance(dayMs - 60_000);
    await assertServed(`cursor=${cursor}`);
    apps.clock.advance(61_000);
    await assertRefused(`cursor=${cursor}`);
  });
});
