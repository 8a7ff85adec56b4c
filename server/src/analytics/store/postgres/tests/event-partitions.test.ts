import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { waitFor } from '../../../../../test/support/wait-for.ts';
import { aggregate, eventOn, readAll } from '../../../tests/store-samples.ts';
import { createAnalyticsStore } from '../../analytics-store.ts';

const { address, sql, beforeClose } = await createTestDatabase();
const store = createAnalyticsStore({ address });
beforeClose(() => store.close());

async function eventsByTable(): Promise<Record<string, number>> {
  const rows = await sql<{ table: string; events: number }>(
    `select tableoid::regclass::text as table, count(*) as events from analytics.learning_events group by 1`,
  );
  return Object.fromEntries(
    rows.map(({ table, events }) => [table.replace('analytics.', ''), Number(events)]),
  );
}

/** Drops the events before the month of a day and returns the first day whose events are kept. */
async function dropBefore(day: string): Promise<string | null> {
  while (!(await store.dropEvents(day)).isDone);
  return store.findFirstDayWithEvents();
}

describe('partitions of learning events', () => {
  it('are created once by many concurrent calls, while events arrive', async () => {
    const made = await Promise.all([
      ...Array.from({ length: 20 }, () => store.upkeep('2025-11-30')),
      ...Array.from({ length: 20 }, (_, index) =>
        store
          .appendEvents(1, [eventOn('2025-12-31', { learnerId: index + 1 }), eventOn('2026-01-31')])
          .then(() => ({ done: [] })),
      ),
    ]);
    assert.deepEqual(
      made.flatMap(({ done }) => done).sort(),
      ['2025-11', '2025-12', '2026-01'].map((month) => `event partition ${month} created`),
    );
    assert.deepEqual(await eventsByTable(), { learning_events_2025_12: 20, learning_events_2026_01: 20 });
    await aggregate(store, 1, { from: '2025-12-31', to: '2026-01-31' });
    const { daily } = await readAll(store, 1);
    assert.equal(daily.at(-1)?.cumulative.views, 40);
  });

  it('receive their rows from the default partition, which keeps the rest', async () => {
    await store.appendEvents(2, [eventOn('2026-02-28'), eventOn('2026-03-01'), eventOn('1999-12-31')]);
    await store.upkeep('2026-01-01');
    assert.deepEqual(await eventsByTable(), {
      learning_events_2025_12: 20,
      learning_events_2026_01: 20,
      learning_events_default: 1,
      learning_events_2026_03: 1,
      learning_events_2026_02: 1,
    });
  });

  it('are created while an aggregation runs', async () => {
    const client = new pg.Client(address);
    await client.connect();
    // The aggregation waits for this row at its end.
    await client.query('begin');
    await client.query(
      `select 1 from analytics.brand_days where brand_id = 1 and day = '2026-01-31' for update`,
    );
    const running = aggregate(store, 1, { from: '2026-01-31', to: '2026-01-31' });
    try {
      await waitFor('the aggregation to wait', async () => {
        const [row] = await sql<{ waits: boolean }>(
          `select exists (select from pg_stat_activity where wait_event_type = 'Lock' and query like '%brand_days%') as waits`,
        );
        return row?.waits === true;
      });
      assert.deepEqual((await store.upkeep('2026-02-28')).done, ['event partition 2026-04 created']);
    } finally {
      await client.query('rollback');
      await client.end();
    }
    assert.equal((await running).days, 1);
  });
});

describe('a read while rows move to a new partition', () => {
  it('misses no row', async () => {
    await store.appendEvents(3, [eventOn('2024-05-01'), eventOn('2024-05-31')]);
    const maker = new pg.Client(address);
    await maker.connect();
    try {
      await maker.query('begin');
      await maker.query(`select analytics.make_event_partition('2024-05-01')`);
      const aggregating = aggregate(store, 3, { from: '2024-05-01', to: '2024-05-31' });
      await waitFor('the reader to wait', async () => {
        const [row] = await sql<{ waits: boolean }>(
          `select exists (select from pg_locks where not granted
             and relation in ('analytics.learning_events'::regclass, 'analytics.learning_events_default'::regclass)) as waits`,
        );
        return row?.waits === true;
      });
      await maker.query('commit');
      assert.equal((await aggregating).rows.users, 2);
    } finally {
      await maker.end();
    }
  });
});

describe('dropping old events', () => {
  // [internal-44]
  it('drops whole months, keeps the datasets, and prevents an aggregation of those days to zeros', async () => {
    await aggregate(store, 2, { from: '1999-12-31', to: '1999-12-31' });
    await aggregate(store, 2, { from: '2026-02-28', to: '2026-03-01' });
    const before = await readAll(store, 2);
    assert.equal(await dropBefore('2026-02-15'), '2026-02-01');
    assert.deepEqual(await eventsByTable(), { learning_events_2026_02: 1, learning_events_2026_03: 1 });
    const [claims] = await sql<{ count: number }>('select count(*) from analytics.event_claims');
    assert.equal(Number(claims?.count), 2);

    assert.deepEqual(await aggregate(store, 2, { from: '1999-12-31', to: '1999-12-31' }), {
      days: 0,
      rows: { daily: 0, contents: 0, users: 0, content_engagement: 0 },
    });
    assert.equal((await aggregate(store, 2, { from: '2026-01-30', to: '2026-03-01' })).days, 29);
    const { users, contents } = await readAll(store, 2);
    assert.deepEqual([users, contents], [before.users, before.contents]);
  });

  it('is never undone, and does not store late events of those days', async () => {
    assert.equal(await dropBefore('2025-01-01'), '2026-02-01');
    const late = eventOn('2026-01-15');
    assert.deepEqual(await store.appendEvents(3, [late, late, eventOn('2026-02-01')]), {
      accepted: 1,
      duplicates: 0,
      keptSince: '2026-02-01',
    });
    assert.deepEqual(await eventsByTable(), { learning_events_2026_02: 2, learning_events_2026_03: 1 });
    assert.deepEqual(await store.listDueDays(3, '2026-02-02'), ['2026-02-01', '2026-02-02']);
    assert.equal(await dropBefore('2026-03-01'), '2026-02-01', 'the month of a day that is dirty is kept');
    await aggregate(store, 3, { from: '2026-02-01', to: '2026-02-01' });
  });

  it('waits for an aggregation that has read events', async () => {
    await store.appendEvents(4, [eventOn('2026-02-10')]);
    const day = { from: '2026-02-10', to: '2026-02-10' };
    await aggregate(store, 4, day);
    const reader = new pg.Client(address);
    await reader.connect();
    await reader.query('begin');
    await reader.query('select count(*) from analytics.learning_events where brand_id = 4');
    const dropped = dropBefore('2026-03-01');
    await waitFor('the drop to wait for the reader', async () => {
      const rows = await sql(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length === 1;
    });
    await reader.end();
    assert.equal(await dropped, '2026-03-01');
    assert.equal((await aggregate(store, 4, day)).days, 0);
    assert.equal((await readAll(store, 4)).daily[0]?.totals.views, 1);
  });
});
