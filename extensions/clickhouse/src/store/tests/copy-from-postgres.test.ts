import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays } from '../../../../../server/src/analytics/day.ts';
import { createAnalyticsStore } from '../../../../../server/src/analytics/store/analytics-store.ts';
import { StoreMismatch } from '../../../../../server/src/analytics/store/store-databases.ts';
import {
  aggregate,
  erasing,
  eventOn,
  readAll,
} from '../../../../../server/src/analytics/tests/store-samples.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { copyFromPostgres } from '../copy-from-postgres.ts';
import { newClickHouseStore } from './new-clickhouse-store.ts';

const days = { from: '2025-12-28', to: '2026-01-04' };

describe('copying a store from PostgreSQL to ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  const { store, address, url, sql } = await newClickHouseStore();
  const copy = () =>
    copyFromPostgres({
      address,
      clickHouseUrl: url,
      onCopied: () => {},
      signal: AbortSignal.timeout(60_000),
    });
  const events = Array.from({ length: 200 }, (_, index) =>
    eventOn(addDays(days.from, index % 8), {
      eventId: `tab\t, "quote", \\ and ü ${index}`,
      kind: index % 3 === 0 ? 'quiz' : 'view',
      learnerId: 1 + (index % 7),
      contentRefId: 10 + (index % 5),
      contentType: index % 5 === 0 ? 'quest' : 'episode',
      marketId: index % 2 === 0 ? 7 : null,
      score: index % 3 === 0 ? 33.333333 : null,
      progress: index % 3 === 0 ? null : 0.1 * (index % 10),
      questions: index % 3 === 0 ? 3 : null,
      answered: index % 3 === 0 ? 2 : null,
      xpEarned: index,
    }),
  ).map((event) => ({ ...event, progress: event.progress && Number(event.progress.toFixed(6)) }));
  const directory = { marketIds: [7], totalLearners: 9 };

  // [internal-13]
  it('moves every row with its revisions, and the store continues as before', async () => {
    const older = createAnalyticsStore({ address });
    await older.appendEvents(1, events);
    await older.appendEvents(2, [eventOn('1999-12-31', { score: null })]);
    await aggregate(older, 1, days, directory);
    await aggregate(older, 2, { from: '1999-12-31', to: '1999-12-31' });
    await older.appendEvents(1, [eventOn('2026-01-02')]);
    const [rows, other] = [await readAll(older, 1, [7]), await readAll(older, 2)];
    const states = await older.readDatasets(1, { users: 0 }, 100);
    const window = await older.readWindow(1, 'users', days);
    await assert.rejects(copy(), StoreMismatch, 'while its connections are open');
    await older.close();

    const copied = await copy();
    assert.equal(copied['learning_events'], 202);
    assert.equal(copied['content_engagement'], rows.engagement.length + 1);
    await store.prepare();
    assert.deepEqual(await readAll(store, 1, [7]), rows);
    assert.deepEqual(await readAll(store, 2), other);
    assert.deepEqual(await store.readDatasets(1, { users: 0 }, 100), states);
    assert.deepEqual(await store.readWindow(1, 'users', days), window);

    assert.deepEqual(await store.appendEvents(1, events), { accepted: 0, duplicates: 200, keptSince: null });
    assert.deepEqual(await store.listDueDays(1, days.to), ['2026-01-02']);
    // One day, while the others are those that were copied.
    await aggregate(store, 1, { from: '2026-01-02', to: '2026-01-02' }, directory);
    assert.ok((await readAll(store, 1, [7])).users.length >= rows.users.length);
    await aggregate(store, 1, days, directory);
    const again = await readAll(store, 1, [7]);
    assert.equal(again.daily.at(-1)?.cumulative.views, rows.daily.at(-1)?.cumulative.views);
    assert.equal(
      again.users.find(({ learnerId, day }) => learnerId === 1 && day === '2026-01-02')?.views,
      1 + (rows.users.find(({ learnerId, day }) => learnerId === 1 && day === '2026-01-02')?.views ?? 0),
    );
    await store.eraseLearner(1, 2, erasing);
    assert.ok((await readAll(store, 1)).users.every(({ learnerId }) => learnerId !== 2));
  });

  it('happens once, and leaves in PostgreSQL what belongs to no erased learner', async () => {
    await assert.rejects(copy(), /in ClickHouse already/);
    assert.equal(
      (await sql<{ n: number }>('select count(*)::integer as n from analytics.learning_events'))[0]?.n,
      202 - events.filter(({ learnerId }) => learnerId === 2).length,
    );
  });

  // [internal-13] [D192]
  it('is required before ClickHouse is used, and ClickHouse afterwards', async () => {
    const second = await newClickHouseStore();
    const older = createAnalyticsStore({ address: second.address });
    await older.appendEvents(1, [eventOn('2026-01-01')]);
    await older.close();
    await assert.rejects(second.store.prepare(), /analytics copy/);
    const other = await newClickHouseStore();
    await other.store.prepare();
    const stranger = await newClickHouseStore();
    await other.sql('update analytics.clickhouse_store set store_id = gen_random_uuid()');
    await assert.rejects(other.store.prepare(), /does not belong/);
    await stranger.store.prepare();
    await stranger.store.prepare();
  });
});
