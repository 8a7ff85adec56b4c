import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { addDays, dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import {
  aggregate,
  erasing,
  eventOn,
  readAll,
} from '../../../../../server/src/analytics/tests/store-samples.ts';
import { closeNow } from '../../../../../server/src/backup/copy-connection.ts';
import { openSnapshot } from '../../../../../server/src/backup/snapshot-store.ts';
import { waitFor } from '../../../../../server/test/support/wait-for.ts';
import { closeBrand, openBrand } from '../../../../brand-moves/src/close-brand.ts';
import { withCell } from '../../../../brand-moves/src/move-connection.ts';
import { removeBrand } from '../../../../brand-moves/src/remove-brand.ts';
import { close, exportTo, importFrom } from '../../../../brand-moves/src/tests/moved-brand.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { deletionLock } from '../../store/coordination/deletion-lock.ts';
import { movingClickHouse } from '../moving-clickhouse.ts';
import { aged, newStoreCell } from './clickhouse-cells.ts';
import { days, fillStore } from './filled-brand.ts';

const quietly = { log: () => {}, cancelled: new AbortController().signal };

// [D202] [D215]
describe('a closed brand whose events are in ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  if (!isClickHouseInstalled()) return;
  const { sql, store, cell, countRows, address, clickHouse } = await newStoreCell();
  await sql(
    `insert into brands (id, name) overriding system value select n, 'Brand' from generate_series(1, 9) n`,
  );
  const reopen = (brandId: number) => withCell(cell, (open) => openBrand(open, brandId, true));

  it('has the events of requests that were acknowledged, and of no other', async () => {
    await store.appendEvents(1, [eventOn(days.from)]);
    const holder = new pg.Client(address);
    await holder.connect();
    try {
      // A request that has sent its events to ClickHouse, and has not recorded their batch.
      await holder.query('begin; lock table analytics.event_batches in access exclusive mode');
      const early = store.appendEvents(1, [eventOn(days.from), eventOn(days.to)]);
      await waitFor('events in ClickHouse', async () => (await countRows('brand_id = 1')) === 3);
      let isClosed = false;
      const closing = close(cell, 1).then(() => {
        isClosed = true;
      });
      await waitFor('the fence', async () => {
        const waiting = `select from pg_stat_activity where application_name = 'brandport-move' and wait_event_type = 'Lock'`;
        return (await sql(waiting)).length > 0;
      });
      assert.equal(isClosed, false);
      await holder.query('commit');
      assert.equal((await early).accepted, 2);
      await closing;
    } finally {
      await holder.end();
    }
    await assert.rejects(store.appendEvents(1, [eventOn(days.from)]));
    await assert.rejects(aggregate(store, 1, days));
    await assert.rejects(store.eraseLearner(1, 1, erasing));
    // What a refused request may have sent has no batch that counts.
    await clickHouse.run(`insert into learning_events (brand_id, month, day, batch, event_id)
      values (1, 202601, ${dayNumberOf(days.from)}, 9007199254740991, 'late')`);
    const target = await newStoreCell();
    await importFrom(await exportTo(cell, 1), target.cell);
    await aggregate(target.store, 1, days);
    const views = (await readAll(target.store, 1)).daily.reduce((sum, { totals }) => sum + totals.views, 0);
    assert.equal(views, 3);
  });

  it('is left out by the housekeeping, which continues with the others', async () => {
    for (const brandId of [2, 3]) {
      await fillStore(store, brandId);
      for (let late = 0; late < 9; late += 1) {
        await store.appendEvents(brandId, [eventOn(days.from, { learnerId: 2 })]);
        await aggregate(store, brandId, { from: days.from, to: days.from }, { marketIds: [1] });
      }
      const later = addDays(days.to, 20);
      await store.appendEvents(brandId, [eventOn(later)]);
      await aggregate(store, brandId, { from: later, to: later }, { marketIds: [1] });
      await sql(`insert into analytics.hidden_learners values (${brandId}, 1, now());
        insert into analytics.generation_attempts values (${brandId}, 77, now())`);
    }
    const before = await readAll(store, 2, [1]);
    const rows = await countRows('brand_id = 2');
    await close(cell, 2);
    await sql(`begin; select set_config('brandport.moved_brand', '2', true); ${aged}; commit`);
    const records = () =>
      sql(
        `select (select count(*) from analytics.hidden_learners where brand_id = $1)::integer as hidden,
        (select count(*) from analytics.stale_layers where brand_id = $1)::integer as stale,
        (select count(*) from analytics.generation_attempts where brand_id = $1)::integer as attempts,
        (select count(*) from analytics.running_totals where brand_id = $1)::integer as totals`,
        [2],
      );
    const wanted = await records();
    const { done } = await store.upkeep(days.to);
    for (const task of [
      /erasures finished: 1/,
      /interrupted aggregations deleted: 1/,
      /days compacted/,
      /totals written: 4/,
    ])
      assert.ok(
        done.some((line) => task.test(line)),
        `${task} is not in ${done.join(', ')}`,
      );
    assert.equal(await countRows('brand_id = 2'), rows);
    assert.deepEqual(await records(), wanted);
    assert.deepEqual(await readAll(store, 2, [1]), before);

    await reopen(2);
    const again = await store.upkeep(days.to);
    for (const task of ['erasures finished: 1', 'running totals written: 4'])
      assert.ok(again.done.includes(task), `${task} is not in ${again.done.join(', ')}`);
    assert.deepEqual(await readAll(store, 2, [1]), before);
  });

  it('moves without the rows and event ids of learners who are being erased', async () => {
    await fillStore(store, 4);
    // Hidden, and not deleted: a backup is being written. One of their events is stored late.
    const snapshot = await openSnapshot(address, deletionLock);
    await store.eraseLearner(4, 2, erasing);
    await store.appendEvents(4, [eventOn(days.from, { learnerId: 2, eventId: 'late' })]);
    const wanted = await readAll(store, 4, [1]);
    const file = await exportTo(cell, 4);
    const target = await newStoreCell();
    await importFrom(file, target.cell);
    assert.deepEqual(await readAll(target.store, 4, [1]), wanted);
    for (const table of ['learning_events', 'users', 'content_engagement'])
      assert.deepEqual(
        await target.clickHouse.numbers(`select count() as n from ${table} where user_id = 2`),
        [0],
        table,
      );
    assert.deepEqual(await target.sql('select from analytics.hidden_learners'), []);
    assert.deepEqual(await target.sql(`select from analytics.event_claims where event_id = 'late'`), []);
    const events = await target.clickHouse.numbers('select count() as n from learning_events');
    assert.deepEqual(await target.sql('select count(*) as n from analytics.event_claims'), [
      { n: events[0] },
    ]);

    // The removal waits for the backup, too.
    const remove = () => withCell(cell, (open) => removeBrand(open, 4, quietly));
    const rows = await countRows('brand_id = 4');
    await assert.rejects(remove(), /A backup is being written.*Run the command again when it is done/);
    assert.equal(await countRows('brand_id = 4'), rows);
    await closeNow(snapshot.client);
    await waitFor('the end of the backup', () =>
      remove().then(
        () => true,
        () => false,
      ),
    );
    assert.equal(await countRows('brand_id = 4'), 0);
    assert.ok((await countRows('brand_id = 3')) > 0);
  });

  it('moves to ClickHouse only, and only by the ClickHouse of its cell', async () => {
    const { createTestDatabase } = await import('../../../../../server/test/support/test-database.ts');
    const plain = await createTestDatabase();
    await plain.sql(`insert into brands (id, name) overriding system value values (30, 'Plain')`);
    const plainCell = { main: plain.address, analytics: null };
    await store.appendEvents(5, [eventOn(days.from)]);
    const file = await exportTo(cell, 5);
    await assert.rejects(
      importFrom(file, plainCell),
      /in ClickHouse, this cell in PostgreSQL.*Nothing was written/,
    );
    assert.deepEqual(await plain.sql('select from brands where id = 5'), []);
    const plainFile = await exportTo(plainCell, 30);
    await assert.rejects(
      importFrom(plainFile, cell),
      /in PostgreSQL, this cell in ClickHouse.*analytics copy/,
    );

    const unset = { ...cell, engine: null };
    await assert.rejects(exportTo(unset, 6), /set BRANDPORT_CLICKHOUSE_URL/);
    await assert.rejects(
      withCell(unset, (open) => removeBrand(open, 5, quietly)),
      /set BRANDPORT_CLICKHOUSE_URL/,
    );
    const foreign = { ...cell, engine: (await newStoreCell()).cell.engine ?? null };
    await assert.rejects(importFrom(file, foreign), /does not belong to this analytics store/);
    await assert.rejects(
      importFrom(file, { ...plainCell, engine: movingClickHouse(clickHouse) }),
      /unset BRANDPORT_CLICKHOUSE_URL/,
    );
    await withCell(unset, (open) => closeBrand(open, 9));
  });
});
