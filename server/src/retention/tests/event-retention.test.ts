// processes, alone: waits for transactions that use the events
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { aggregateDueDays } from '../../analytics/aggregation/aggregation-service.ts';
import { addDays, type Day, dayOf } from '../../analytics/day.ts';
import { newSeededBrand, type SeededBrand } from '../../analytics/tests/seed.ts';
import { examine, told } from '../../doctor/tests/examine.ts';
import { dayMs, retainOne } from './retain.ts';

const apps = await createTestApps();
const { sql, admin } = apps;

const today = () => dayOf(apps.clock.now());
/** Applies the policy so that `day` is the first day that is kept. */
const keepSince = (day: Day) =>
  retainOne(apps, 'events', Math.round((Date.parse(today()) - Date.parse(day)) / dayMs));

async function eventDays(brand: SeededBrand): Promise<Day[]> {
  const rows = await sql<{ day: Day }>(
    `select distinct to_char(day, 'YYYY-MM-DD') as day from analytics.learning_events where brand_id = $1 order by 1`,
    [brand.brandId],
  );
  return rows.map(({ day }) => day);
}

async function claimedDays(brand: SeededBrand): Promise<number> {
  const [row] = await sql<{ days: number }>(
    'select count(distinct day) as days from analytics.event_claims where brand_id = $1',
    [brand.brandId],
  );
  return Number(row?.days);
}

async function dirtyDays(brand: SeededBrand): Promise<Day[]> {
  const { json } = await admin.get(`/brands/${brand.brandId}/aggregations?per_page=200`);
  return json.data.filter(({ dirty }: { dirty: boolean }) => dirty).map(({ date }: { date: Day }) => date);
}

// The tests go on in time: what one has dropped is gone for the next.
// [internal-44] [internal-56]
describe('the retention of learning events', () => {
  it('keeps the month of the first day that is kept, and drops the months before it', async () => {
    const brand = await newSeededBrand(apps, { users: ['a', 'b'] });
    const days = ['2019-11-30', '2019-12-31', '2020-01-01', '2020-01-31', '2020-02-01'];
    await brand.send(
      days.flatMap((day) => [
        { day, user: 'a' },
        { day, user: 'b' },
      ]),
    );
    await brand.aggregate({ from: '2019-11-30', to: '2020-02-01' });
    await sql(`select analytics.make_event_partition('2019-12-01')`);
    const before = await brand.client.get('/analytics/metrics/daily?from=2019-11-30&to=2020-02-01');

    // The whole of January is older than the limit only when the first day that is kept is in February.
    assert.deepEqual(await keepSince('2020-01-31'), {
      policy: 'events',
      keepDays: Math.round((Date.parse(today()) - Date.parse('2020-01-31')) / dayMs),
      droppedRows: 4,
      heldBackBy: null,
    });
    assert.deepEqual(await eventDays(brand), ['2020-01-01', '2020-01-31', '2020-02-01']);
    assert.equal(await claimedDays(brand), 3);
    assert.equal((await keepSince('2020-02-01')).droppedRows, 4);
    assert.deepEqual(await eventDays(brand), ['2020-02-01']);
    assert.equal((await keepSince('2020-02-01')).droppedRows, 0);
    const after = await brand.client.get('/analytics/metrics/daily?from=2019-11-30&to=2020-02-01');
    assert.equal(after.text, before.text);
    assert.deepEqual((await examine(apps, true)).map(told), []);
  });

  it('rejects late events of days whose events are gone, by their index, also when they were known', async () => {
    const brand = await newSeededBrand(apps, { users: ['a'] });
    const item = (id: string, day: Day) => ({
      event_id: id,
      occurred_at: `${day}T23:59:59.999Z`,
      kind: 'view',
      user: 'a',
      content: { type: 'episode', tu_id: 'e' },
    });
    const items = [item('kept', '2020-02-01'), item('late', '2020-01-31'), item('kept', '2020-02-01')];
    const { json } = await admin.post(`/brands/${brand.brandId}/events`, { items });
    assert.deepEqual(json, {
      accepted: 1,
      duplicates: 1,
      excluded: 0,
      rejected: [
        {
          index: 1,
          message: 'occurred_at must not be before 2020-02-01: raw events of earlier days were dropped',
        },
      ],
      rejected_count: 1,
    });
    assert.deepEqual(await eventDays(brand), ['2020-02-01']);
    await aggregateDueDays(apps.context, brand.brandId);
    assert.deepEqual(await dirtyDays(brand), []);
  });

  it('keeps a month with a day of any brand that was not aggregated, and names the day', async () => {
    const [ready, late] = [
      await newSeededBrand(apps, { users: ['a'] }),
      await newSeededBrand(apps, { users: ['a'] }),
    ];
    for (const brand of [ready, late])
      await brand.send([
        { day: '2020-03-10', user: 'a' },
        { day: '2020-04-10', user: 'a' },
      ]);
    await ready.aggregate({ from: '2020-03-10', to: '2020-04-10' });
    await late.aggregate({ from: '2020-03-10', to: '2020-03-10' });
    const outcome = await keepSince('2020-05-01');
    // March of both, and the three events of February that the tests before have left.
    assert.deepEqual([outcome.droppedRows, outcome.heldBackBy], [5, '2020-04-10']);
    assert.deepEqual([await eventDays(ready), await eventDays(late)], [['2020-04-10'], ['2020-04-10']]);
    await late.aggregate({ from: '2020-04-10', to: '2020-04-10' });
    const next = await keepSince('2020-05-01');
    assert.deepEqual([next.droppedRows, next.heldBackBy], [2, null]);
  });

  it('keeps a month while a day of it is dirty, and a day whose record was lost', async () => {
    const brand = await newSeededBrand(apps, { users: ['a'] });
    const day = '2020-05-20';
    await brand.send([{ day, user: 'a' }]);
    await brand.aggregate({ from: day, to: day });
    await brand.send([{ day, user: 'a' }]);
    assert.equal((await keepSince('2020-06-01')).heldBackBy, day);
    await brand.aggregate({ from: day, to: day });
    await sql('delete from analytics.brand_days where brand_id = $1', [brand.brandId]);
    assert.equal((await keepSince('2020-06-01')).heldBackBy, day);
    await brand.aggregate({ from: day, to: day });
    assert.equal((await keepSince('2020-06-01')).droppedRows, 2);
  });

  it('waits for the rows of a learner who has opted back in, and an opt-in after that marks nothing', async () => {
    const brand = await newSeededBrand(apps, { users: ['a', 'b'] });
    const day = '2020-07-15';
    const opt = (user: string, out: boolean) =>
      admin.put(`/brands/${brand.brandId}/users`, { items: [{ tu_id: user, analytics_opt_out: out }] });
    await brand.send([
      { day, user: 'a' },
      { day, user: 'b' },
    ]);
    await opt('a', true);
    await opt('b', true);
    await brand.aggregate({ from: day, to: day });
    await opt('a', false);
    // The job that would mark the day does not run here.
    assert.equal((await keepSince('2020-08-01')).heldBackBy, day);
    await aggregateDueDays(apps.context, brand.brandId);
    assert.equal((await keepSince('2020-08-01')).droppedRows, 2);
    const usersOf = async () =>
      (await brand.client.get(`/analytics/users/daily?from=${day}&to=${day}`)).json.data.length;
    assert.equal(await usersOf(), 1);
    await opt('b', false);
    assert.equal((await keepSince('2020-08-01')).heldBackBy, null);
    assert.deepEqual(await dirtyDays(brand), []);
    await aggregateDueDays(apps.context, brand.brandId);
    assert.equal(await usersOf(), 1);
  });

  it('lets a learner be erased whose events are gone', async () => {
    const brand = await newSeededBrand(apps, { users: ['a', 'b'] });
    const day = '2020-09-09';
    await brand.send([
      { day, user: 'a' },
      { day, user: 'b' },
    ]);
    await brand.aggregate({ from: day, to: day });
    assert.equal((await keepSince('2020-10-01')).droppedRows, 2);
    assert.equal((await admin.delete(`/brands/${brand.brandId}/users/a`)).status, 204);
    const { json } = await brand.client.get(`/analytics/users/daily?from=${day}&to=${day}`);
    assert.equal(json.data.length, 1);
    const { json: daily } = await brand.client.get(`/analytics/metrics/daily?from=${day}&to=${day}`);
    assert.equal(daily.data[0].totals.views, 2, 'aggregates keep their values');
    assert.deepEqual(await dirtyDays(brand), []);
    assert.deepEqual((await examine(apps, true)).map(told), []);
  });

  it('tries again when a long transaction uses the events, and does not hold up those that follow', async () => {
    const brand = await newSeededBrand(apps, { users: ['a'] });
    await brand.send([{ day: '2020-11-11', user: 'a' }]);
    await brand.aggregate({ from: '2020-11-11', to: '2020-11-11' });
    const reader = new pg.Client(apps.address);
    await reader.connect();
    let dropped: ReturnType<typeof keepSince>;
    try {
      await reader.query('begin');
      await reader.query('lock table only analytics.learning_events in access share mode');
      dropped = keepSince('2020-12-01');
      await waitFor('the drop to wait for the reader', async () => {
        const rows = await sql(
          `select from pg_locks where not granted and relation = 'analytics.learning_events'::regclass`,
        );
        return rows.length > 0;
      });
      // Queues behind the drop until that gives up.
      await brand.send([{ day: addDays(today(), -1), user: 'a' }]);
    } finally {
      await reader.end();
    }
    assert.equal((await dropped).droppedRows, 1);
    assert.deepEqual(await eventDays(brand), [addDays(today(), -1)]);
  });

  it('finishes what a killed run has left, and several runs at once drop each event once', async () => {
    const brand = await newSeededBrand(apps, { users: ['a'] });
    const days = Array.from({ length: 28 }, (_, index) => `2021-02-${String(index + 1).padStart(2, '0')}`);
    await brand.send(days.map((day) => ({ day, user: 'a' })));
    await brand.aggregate({ from: '2021-02-01', to: '2021-02-28' });
    // The state after the first transaction of a run.
    await sql(`select analytics.drop_events_before('2021-03-01')`);
    assert.equal((await eventDays(brand)).length, 28, 'they are in the default partition');
    const refused = await admin.post(`/brands/${brand.brandId}/aggregations`, {
      from: '2021-02-28',
      to: '2021-03-01',
    });
    assert.deepEqual([refused.status, refused.json.code], [409, 'conflict']);
    const runs = await Promise.all([1, 2, 3].map(() => keepSince('2021-03-01')));
    assert.equal(
      runs.reduce((sum, { droppedRows }) => sum + droppedRows, 0),
      28,
    );
    assert.deepEqual([await eventDays(brand), await claimedDays(brand)], [[], 0]);
  });
});
