import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays } from '../../../../../server/src/analytics/day.ts';
import { aggregate, eventOn, readAll } from '../../../../../server/src/analytics/tests/store-samples.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { ClickHouse } from '../clickhouse.ts';
import { columnsOf, shapes } from '../dataset-shape.ts';
import { eventLines } from '../event-lines.ts';
import { eventColumns } from '../schema.ts';
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
  /** Makes everything that waits for the grace period older than that. */
  const age = () =>
    sql(`update analytics.stale_layers set since = since - interval '25 hours';
      update analytics.generation_attempts set started_at = started_at - interval '1 hour';
      update analytics.event_batches set batch = batch`);

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
    await sql(`insert into analytics.generation_attempts values (2, 77, now())`);
    const columns = columnsOf(shapes.daily);
    await clickHouse.run(`insert into daily (${columns.join(', ')}) select
      ${columns.map((column) => (column === 'generation' ? '77' : column)).join(', ')} from daily where brand_id = 2 limit 1`);
    assert.deepEqual(await readAll(store, 2), before);
    await store.upkeep('2026-01-02');
    assert.equal(await count('daily', 'brand_id = 2'), 7, 'pages that have begun may still read them');
    await age();
    const { done } = await store.upkeep('2026-01-02');
    assert.ok(done.includes('interrupted aggregations deleted: 1'), done.join(', '));
    assert.equal(await count('daily', 'brand_id = 2'), 3);
    assert.deepEqual(await readAll(store, 2), before);
    assert.deepEqual(await store.upkeep('2026-01-02'), { done: [] });
  });

  // [D208]
  it('compacts a day with many corrections, whose rows and revisions stay', async () => {
    await store.appendEvents(3, [eventOn('2026-01-03'), eventOn('2026-01-03', { learnerId: 2 })]);
    await aggregate(store, 3, all);
    for (let late = 0; late < 9; late += 1) {
      await store.appendEvents(3, [eventOn('2026-01-01')]);
      await aggregate(store, 3, first);
    }
    const before = await readAll(store, 3);
    assert.equal(
      before.users.find(({ day, learnerId }) => day === '2026-01-03' && learnerId === 1)?.cumulative.views,
      10,
    );
    const states = await store.readDatasets(3, { users: 0 }, 100);
    const { done } = await store.upkeep('2026-01-02');
    assert.deepEqual(done, ['days compacted: 5']);
    assert.deepEqual(await readAll(store, 3), before);
    assert.deepEqual(await store.readDatasets(3, { users: 0 }, 100), states);
    await age();
    await store.upkeep('2026-01-02');
    assert.deepEqual(await readAll(store, 3), before);
    assert.equal(
      await count('users', `brand_id = 3 and day = ${Date.parse(addDays('2026-01-03', 0)) / 86_400_000}`),
      2,
    );
    await clickHouse.close();
  });

  // [D194]
  it('copies no row of a learner who is being erased, neither as a correction nor into a compacted day', async () => {
    const rows = new ClickHouse(url, { answerMs: 60_000, connections: 1 });
    const events = [1, 2].flatMap((learnerId) => [
      eventOn('2026-01-01', { learnerId }),
      eventOn('2026-01-03', { learnerId }),
    ]);
    await store.appendEvents(5, events);
    await aggregate(store, 5, all);
    // The deletion of the learner's rows is under way: it does not reach rows that are written from now on.
    await sql(`insert into analytics.hidden_learners values (5, 2, now())`);
    const [written = 0] = await rows.numbers('select max(generation) as g from users where brand_id = 5');
    for (let late = 0; late < 9; late += 1) {
      await store.appendEvents(5, [eventOn('2026-01-01')]);
      await aggregate(store, 5, first);
    }
    assert.ok((await store.upkeep('2026-01-04')).done.some((line) => line.startsWith('days compacted')));
    for (const dataset of ['users', 'content_engagement'])
      assert.deepEqual(
        await rows.numbers(
          `select distinct user_id from ${dataset} where brand_id = 5 and generation > ${written} order by user_id`,
        ),
        [1],
        dataset,
      );
    await rows.close();
  });

  it('finishes the erasure of a learner that was interrupted, who was hidden meanwhile', async () => {
    const other = new ClickHouse(url, { answerMs: 60_000, connections: 1 });
    await store.appendEvents(4, [eventOn('2026-01-01'), eventOn('2026-01-01', { learnerId: 2 })]);
    await aggregate(store, 4, first);
    await sql(`insert into analytics.hidden_learners values (4, 2, now() - interval '1 hour')`);
    const { users, engagement } = await readAll(store, 4);
    assert.deepEqual([users.length, engagement.length], [1, 1]);
    assert.deepEqual((await store.readLearnerActivity(4, 2)).aggregatedDays, []);
    assert.deepEqual(await store.upkeep('2026-01-02'), { done: ['erasures finished: 1'] });
    const left = await other.numbers(
      'select (select count() from users where brand_id = 4) + (select count() from learning_events where brand_id = 4) as n',
    );
    assert.deepEqual(left, [2]);
    await other.close();
  });
});
