import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, dayOf } from '../../../../../server/src/analytics/day.ts';
import { aggregate, eventOn } from '../../../../../server/src/analytics/tests/store-samples.ts';
import { measureUsage } from '../../../../../server/src/usage/measure-usage.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { ClickHouse } from '../../store/clickhouse.ts';
import { newClickHouseStore } from '../../store/tests/new-clickhouse-store.ts';
import { sizedClickHouse } from '../queries/list-clickhouse-tables.ts';

describe('the usage of a store in ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  if (!isClickHouseInstalled()) return;
  const { store, url, database, beforeClose } = await newClickHouseStore();
  await store.prepare();
  const clickHouse = new ClickHouse(url, { answerMs: 120_000, connections: 2 });
  beforeClose(() => clickHouse.close());

  it('lists rows and bytes by table and brand, their growth, and what retention would free', async () => {
    const now = Date.parse('2026-03-20T12:00:00Z');
    const today = dayOf(now);
    const old = '2025-11-05';
    for (const [brandId, count] of [
      [1, 300],
      [2, 100],
    ] as const) {
      const events = (day: string) => Array.from({ length: count }, (_, n) => eventOn(day, { learnerId: n }));
      await store.appendEvents(brandId, events(old));
      await store.appendEvents(brandId, events(addDays(today, -3)));
      await aggregate(store, brandId, { from: addDays(today, -3), to: addDays(today, -3) });
    }
    const { tables, policies } = await measureUsage(
      { main: database, store: database, engine: sizedClickHouse(clickHouse) },
      {
        keep: {
          'feed-lines': null,
          audit: null,
          'key-usage': null,
          refusals: null,
          'stock-changes': null,
          events: 60,
        },
        now,
        growthDays: 10,
        cancelled: new AbortController().signal,
      },
    );
    const events = tables.find(({ table }) => table === 'clickhouse.learning_events');
    assert.deepEqual([events?.rows, events?.sampled], [800, 1]);
    assert.deepEqual(
      events?.brands.map(({ brandId, rows }) => [brandId, rows]),
      [
        [1, 600],
        [2, 200],
      ],
    );
    const bytes = events?.bytes ?? 0;
    assert.ok(bytes > 800 && bytes < 800 * 400, `${bytes} bytes`);
    const sum = events?.brands.reduce((total, brand) => total + brand.bytes, 0) ?? 0;
    assert.ok(Math.abs(sum - bytes) <= 2, `${sum} of ${bytes}`);
    assert.ok(Math.abs((events?.bytesPerDay ?? 0) - bytes / 20) <= 2);
    assert.equal(tables.find(({ table }) => table === 'clickhouse.users')?.rows, 400);
    const due = policies.find(({ policy }) => policy === 'events');
    assert.equal(due?.dueRows, 400);
    assert.ok((due?.dueBytes ?? 0) > 400);
  });
});
