import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shapeOf } from '../../../../../server/src/analytics/store/datasets.ts';
import {
  aggregate,
  erasing,
  eventOn,
  readAll,
} from '../../../../../server/src/analytics/tests/store-samples.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { ClickHouse } from '../clickhouse.ts';
import { eventLines } from '../events.ts';
import { columnsOf, eventColumns } from '../schema.ts';
import { newClickHouseStore } from './new-clickhouse-store.ts';

const first = { from: '2026-01-01', to: '2026-01-01' };
const all = { from: '2026-01-01', to: '2026-01-03' };

// [D193]
describe('the upkeep of a store in ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  const { store, url, sql } = await newClickHouseStore();
  await store.prepare();
  const clickHouse = new ClickHouse(url, { answerMs: 60_000, connections: 2 });
  const count = async (table: string, where = 'true') =>
    (await clickHouse.numbers(`select count() as rows from ${table} where ${where}`))[0];
  /** Makes replaced and interrupted rows as old as those that are deleted. */
  const age = () => sql(`update analytics.unpublished_generations set since = since - interval '25 hours'`);

  it('never counts the batch of an interrupted request, and deletes it', async () => {
    await store.appendEvents(1, [eventOn('2026-01-01')]);
    // Numbers of batches tell their age: this one is from the past.
    const orphans = Array.from({ length: 1_000 }, () => eventOn('2026-01-01'));
    await clickHouse.insert('learning_events', Object.keys(eventColumns), eventLines(1, 8_192, orphans));
    const recent =
      Number((await clickHouse.numbers('select max(batch) as batch from learning_events'))[0]) + 8_192;
    await clickHouse.insert('learning_events', Object.keys(eventColumns), eventLines(1, recent, orphans));
    await aggregate(store, 1, first);
    assert.equal((await readAll(store, 1)).daily[0]?.totals.views, 1);
    assert.deepEqual(await store.upkeep('2026-01-02'), {
      done: ['batches of interrupted requests deleted: 1'],
    });
    assert.equal(await count('learning_events'), 1_001, 'a batch that may still be stored stays');
    await aggregate(store, 1, first);
    assert.equal((await readAll(store, 1)).daily[0]?.totals.views, 1);
  });

  it('deletes what is no longer published, and what never was', async () => {
    await aggregate(store, 2, all);
    for (let times = 0; times < 3; times += 1) await aggregate(store, 2, first);
    const before = await readAll(store, 2);
    assert.equal(await count('daily', 'brand_id = 2'), 6);
    // An aggregation that was killed before it could publish.
    await sql(
      `insert into analytics.unpublished_generations values (2, 77, '2026-01-01', '2026-01-01', now())`,
    );
    const columns = columnsOf(shapeOf('daily'));
    await clickHouse.run(`insert into daily (${columns.join(', ')}) select
      ${columns.map((column) => (column === 'generation' ? '77' : column)).join(', ')} from daily where brand_id = 2 limit 1`);
    assert.deepEqual(await readAll(store, 2), before);
    await store.upkeep('2026-01-02');
    assert.equal(await count('daily', 'brand_id = 2'), 7, 'pages that have begun may still read them');
    await age();
    const { done } = await store.upkeep('2026-01-02');
    assert.deepEqual(done, ['replaced or interrupted aggregations deleted: 5']);
    assert.equal(await count('daily', 'brand_id = 2'), 3);
    assert.deepEqual(await readAll(store, 2), before);
    assert.deepEqual(await store.upkeep('2026-01-02'), { done: [] });
  });

  // [D194]
  it('deletes what there was of an erased learner, who is hidden at once, and nothing that came later', async () => {
    const events = [eventOn('2026-01-01'), eventOn('2026-01-01', { learnerId: 2 })];
    await store.appendEvents(4, events);
    await aggregate(store, 4, first);
    await store.eraseLearner(4, 2, erasing);
    const { users, engagement } = await readAll(store, 4);
    assert.deepEqual([users.length, engagement.length], [1, 1]);
    assert.deepEqual((await store.readLearnerActivity(4, 2)).aggregatedDays, []);
    assert.equal(await count('learning_events', 'brand_id = 4'), 2);
    assert.equal((await store.appendEvents(4, events)).accepted, 1, 'its id is free');
    await aggregate(store, 4, first);
    assert.equal((await readAll(store, 4)).users.length, 2);
    assert.deepEqual(await store.upkeep('2026-01-02'), { done: [] });
    await sql(`update analytics.hidden_learners set since = since - interval '1 hour'`);
    assert.deepEqual(await store.upkeep('2026-01-02'), { done: ['erased learners deleted: 1'] });
    assert.equal(await count('learning_events', 'brand_id = 4'), 2);
    assert.equal(await count('users', 'brand_id = 4 and user_id = 2'), 1);
    assert.equal((await readAll(store, 4)).users.length, 2);
    assert.equal((await store.appendEvents(4, events)).accepted, 0);
    await clickHouse.close();
  });
});
