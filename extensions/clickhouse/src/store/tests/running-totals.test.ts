import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import { lockDatasets } from '../../../../../server/src/analytics/store/days-store.ts';
import {
  aggregate,
  erasing,
  eventOn,
  readAll,
} from '../../../../../server/src/analytics/tests/store-samples.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { ClickHouse } from '../clickhouse.ts';
import { shapes, totalsColumns } from '../dataset-shape.ts';
import { newClickHouseStore } from './new-clickhouse-store.ts';

const first = '2026-01-25';
const last = '2026-02-10';
/** The last day that totals include: late events of later days do not make them useless. */
const through = '2026-02-03';
const all = { from: first, to: last };
const lastDay = { from: last, to: last };

// [D207]
describe('the running totals of a store in ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  const { store, url, sql, database } = await newClickHouseStore();
  await store.prepare();
  const clickHouse = new ClickHouse(url, { answerMs: 60_000, connections: 2 });
  const published = (brandId: number) =>
    sql(
      `select dataset, through::text, rows::integer from analytics.running_totals where brand_id = ${brandId} order by dataset`,
    );
  const stored = async (table: string, brandId: number, where = 'true') =>
    (
      await clickHouse.numbers(`select count() as n from ${table} where brand_id = ${brandId} and ${where}`)
    )[0];
  const soFar = async (brandId: number) =>
    (await readAll(store, brandId)).engagement
      .filter(({ day }) => day === last)
      .map(({ learnerId, cumulative }) => [learnerId, cumulative.views]);
  /** Two learners with views on the first and the last day, and totals. */
  const newBrand = async (brandId: number) => {
    for (const learnerId of [1, 2])
      for (const day of [first, first, last])
        await store.appendEvents(brandId, [eventOn(day, { learnerId })]);
    await aggregate(store, brandId, all);
    await store.upkeep(last);
    const row = (dataset: string, rows: number) => ({ dataset, through, rows });
    assert.deepEqual(await published(brandId), [
      row('content_engagement', 2),
      row('contents', 1),
      row('daily', 1),
      row('users', 2),
    ]);
  };

  it('replace the rows of earlier days in an aggregation', async () => {
    await newBrand(1);
    // Not what any aggregation would write: shows which rows it adds up.
    const columns = totalsColumns(shapes.content_engagement);
    const changed = columns.map((column) => ({ user_id: '3', views: '1000' })[column] ?? column);
    await clickHouse.run(
      `insert into totals_content_engagement (${columns.join(', ')}) select ${changed.join(', ')}
       from totals_content_engagement where brand_id = 1 and user_id = 2`,
    );
    await clickHouse.run(`delete from totals_content_engagement where brand_id = 1 and user_id = 2`);
    await store.appendEvents(1, [eventOn(last, { learnerId: 3 })]);
    await aggregate(store, 1, lastDay);
    assert.deepEqual(await soFar(1), [
      [1, 3],
      [2, 1],
      [3, 1_001],
    ]);
  });

  it('are withdrawn by an aggregation of a day that they include, and deleted after the grace period', async () => {
    await newBrand(2);
    await store.appendEvents(2, [eventOn(through)]);
    await aggregate(store, 2, { from: through, to: through });
    assert.deepEqual(await published(2), []);
    assert.deepEqual(await soFar(2), [
      [1, 4],
      [2, 3],
    ]);
    await sql(`update analytics.stale_layers set since = since - interval '25 hours' where brand_id = 2`);
    await store.upkeep(last);
    assert.equal((await published(2)).length, 4);
    assert.equal(await stored('totals_users', 2), 2, 'only the new ones');
  });

  it('are not used if ClickHouse has lost some of them', async () => {
    await newBrand(3);
    await clickHouse.run('delete from totals_content_engagement where brand_id = 3 and user_id = 2');
    await aggregate(store, 3, lastDay);
    assert.deepEqual(await soFar(3), [
      [1, 3],
      [2, 3],
    ]);
    assert.deepEqual(
      (await published(3)).map(({ dataset }) => dataset),
      ['contents', 'daily', 'users'],
    );
  });

  it('lose an erased learner, and stay valid for the others', async () => {
    await newBrand(4);
    await store.eraseLearner(4, 2, erasing);
    await store.eraseLearner(4, 2, erasing);
    for (const table of ['totals_users', 'totals_content_engagement'])
      assert.equal(await stored(table, 4, 'user_id = 2'), 0, table);
    await aggregate(store, 4, lastDay);
    assert.deepEqual(await soFar(4), [[1, 3]]);
    assert.deepEqual(
      (await published(4)).map(({ rows }) => rows),
      [1, 1, 1, 1],
    );
  });

  it('leave out a learner whose erasure was interrupted', async () => {
    for (const learnerId of [1, 2]) await store.appendEvents(5, [eventOn(first, { learnerId })]);
    await aggregate(store, 5, all);
    await sql('insert into analytics.hidden_learners values (5, 2, now())');
    await store.upkeep(last);
    assert.equal(await stored('totals_users', 5, 'user_id = 2'), 0);
    assert.deepEqual(
      (await published(5)).map(({ rows }) => rows),
      [1, 1, 1, 1],
    );
  });

  it('grow by the days since the earlier ones', async () => {
    await newBrand(6);
    const next = addDays(last, 3);
    await store.appendEvents(6, [eventOn(next)]);
    await aggregate(store, 6, { from: addDays(last, 1), to: next });
    await store.upkeep(next);
    const rows = await published(6);
    assert.ok(rows.every(({ through: day }) => day === through || day === addDays(through, 3)));
    assert.equal(await stored('totals_daily', 6, `day = ${dayNumberOf(addDays(through, 3))}`), 1);
  });

  it('are examined only in brands whose days were aggregated since the last upkeep', async () => {
    const marks = () => sql('select from analytics.totals_marks where brand_id = 7');
    await newBrand(7);
    assert.equal((await marks()).length, 1);
    await store.upkeep(last);
    assert.equal((await marks()).length, 0, 'nothing was due any more');
    await sql('delete from analytics.running_totals where brand_id = 7');
    assert.deepEqual(await store.upkeep(last), { done: [] });
    await aggregate(store, 7, lastDay);
    assert.deepEqual(await store.upkeep(last), { done: ['running totals written: 4'] });
  });

  it('are written by the next upkeep if the brand is being aggregated', async () => {
    await newBrand(8);
    await sql('delete from analytics.running_totals where brand_id = 8');
    await database.transaction(async (tx) => {
      await lockDatasets(tx, 8);
      assert.deepEqual(await store.upkeep(last), { done: [] });
    });
    assert.deepEqual(await store.upkeep(last), { done: ['running totals written: 4'] });
    await clickHouse.close();
  });
});
