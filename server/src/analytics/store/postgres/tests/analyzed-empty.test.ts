import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { eventOn } from '../../../tests/store-samples.ts';
import { createAnalyticsStore } from '../../analytics-store.ts';

const { address, sql } = await createTestDatabase();
const store = createAnalyticsStore({ address });

const learners = 2_000;
const tables = ['daily', 'contents', 'users', 'content_engagement'];

// The statistics of an empty table make a scan of it look free, and the statement that scans it is the one that fills it.
test('the first aggregation after an empty store was analyzed looks every total up by its index', async () => {
  for (const table of tables) await sql(`vacuum analyze analytics.${table}`);
  const day = '2026-01-01';
  const events = Array.from({ length: learners }, (_, index) =>
    eventOn(day, { eventId: `e${index}`, learnerId: index, contentRefId: index }),
  );
  await store.appendEvents(1, events);
  const directory = {
    marketIds: [],
    totalLearners: learners,
    excludedLearnerIds: [],
    liveContent: { episodes: 0, programs: 0, quests: 0, products: 0 },
  };
  await store.aggregate(1, { from: day, to: day }, async () => directory, {
    at: new Date(),
    whenBusy: 'wait',
  });
  // Its connections report their counters when they end.
  await store.close();
  const [found] = await sql(
    `select sum(seq_scan)::int as scans from pg_stat_user_tables
     where schemaname = 'analytics' and relname = any($1)`,
    [tables],
  );
  assert.ok(Number(found?.['scans']) < learners, `${found?.['scans']} scans for ${learners} learners`);
});
