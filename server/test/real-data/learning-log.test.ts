// nightly: a published log of learners, aggregated and compared value by value
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { listAll, walk } from '../../src/analytics/tests/pull-rows.ts';
import { assertDoctorFindsNothing } from '../catalog-model/assert-doctor-finds-nothing.ts';
import { createTestApps, type TestBrand } from '../support/test-apps.ts';
import { daysOf, expectDatasets, type Row } from './expected-datasets.ts';
import { type Day, readOulad } from './oulad.ts';

/** The file has 173,912, which take more than five minutes. */
const maxResults = 20_000;
const apps = await createTestApps();
const log = await readOulad(maxResults);
const days = daysOf(log);
const expected = expectDatasets(log, days);
const eventsPerRequest = 50_000;
const itemsPerRequest = 10_000;

interface Window {
  readonly from: Day;
  readonly to: Day;
}

/** The days in windows of the given length, oldest first. */
function windowsOf(length: number): Window[] {
  return chunks(days, length).map((part) => ({ from: part[0] as Day, to: part.at(-1) as Day }));
}

function chunks<T>(all: readonly T[], length: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / length) }, (_, index) =>
    all.slice(index * length, (index + 1) * length),
  );
}

describe('the learning log of the Open University', () => {
  let brand: TestBrand;

  async function sendEvents() {
    const sum = { accepted: 0, duplicates: 0, excluded: 0, rejected: 0 };
    for (const part of chunks(log.events, eventsPerRequest)) {
      const body = part.map(({ event }) => JSON.stringify(event)).join('\n');
      const headers = { 'content-type': 'application/x-ndjson' };
      const { status, json, text } = await apps.admin.post(`/brands/${brand.brandId}/events`, body, headers);
      assert.equal(status, 200, text);
      sum.accepted += json.accepted;
      sum.duplicates += json.duplicates;
      sum.excluded += json.excluded;
      sum.rejected += json.rejected.length;
    }
    return sum;
  }

  async function aggregate(windows: readonly Window[]) {
    for (const window of windows) {
      const { status, json, text } = await apps.admin.post(`/brands/${brand.brandId}/aggregations`, window);
      assert.equal(status, 200, text);
      const count = (rows: readonly Row[]) => rows.filter(isIn(window)).length;
      assert.deepEqual(json.rows, {
        daily: count(expected.daily) + count(expected.dailyByMarket),
        contents: count(expected.contents),
        users: count(expected.users),
        content_engagement: count(expected.engagement),
      });
    }
  }

  async function assertServed(windowDays: number, perPage: number) {
    for (const window of windowsOf(windowDays)) {
      const query = { ...window, per_page: String(perPage) };
      const daily = '/analytics/metrics/daily';
      const list = (path: string) => walk(brand.client, path, query).then(({ rows }) => rows);
      const byMarket = { ...query, group_by: 'market' };
      assertSameRows(await listAll(brand.client, daily, query), expected.daily, window);
      assertSameRows(await listAll(brand.client, daily, byMarket), expected.dailyByMarket, window);
      assertSameRows(await list('/analytics/metrics/contents'), expected.contents, window);
      assertSameRows(await list('/analytics/users/daily'), expected.users, window);
      assertSameRows(await list('/analytics/users/contents'), expected.engagement, window);
    }
  }

  before(async () => {
    brand = await apps.newBrand();
    for (const [list, all] of [
      ['markets', log.markets],
      ['users', log.users],
      ['contents', log.contents],
    ] as const)
      for (const items of chunks<object>(all, itemsPerRequest)) {
        const { status, json, text } = await apps.admin.put(`/brands/${brand.brandId}/${list}`, { items });
        assert.equal(status, 200, text);
        assert.equal(json.upserted, items.length);
      }
  });

  it('is accepted whole, and aggregated with the newest days first', async () => {
    const accepted = log.events.length;
    assert.ok(accepted > 500);
    assert.deepEqual(await sendEvents(), { accepted, duplicates: 0, excluded: 0, rejected: 0 });
    // Each window has to correct the running totals of the days after it.
    await aggregate(windowsOf(31).reverse());
  });

  it('is served as an independent computation has it, in the largest windows and pages', () =>
    assertServed(92, 500));

  it('has only duplicates when it is sent again, and the same rows, read in other windows and pages', async () => {
    const duplicates = log.events.length;
    assert.deepEqual(await sendEvents(), { accepted: 0, duplicates, excluded: 0, rejected: 0 });
    await assertServed(31, 333);
    await aggregate(windowsOf(31));
    await assertServed(61, 499);
  });

  it('gives the doctor nothing to find', () => assertDoctorFindsNothing(apps.address));
});

function isIn({ from, to }: Window): (row: Row) => boolean {
  return ({ date }) => date >= from && date <= to;
}

/** Compares by key, so that a failure shows one row instead of thousands. */
function assertSameRows(served: readonly Row[], all: readonly Row[], window: Window): void {
  const missing = new Map(all.filter(isIn(window)).map((row) => [keyOf(row), row]));
  for (const row of served) {
    const key = keyOf(row);
    if (!isDeepStrictEqual(row, missing.get(key))) assert.deepEqual(row, missing.get(key), key);
    missing.delete(key);
  }
  assert.deepEqual([...missing.keys()].slice(0, 5), [], 'not served');
}

function keyOf({ date, market, user, content }: Row): string {
  return [date, market?.tu_id, user?.tu_id, content?.type, content?.tu_id].join(' ');
}
