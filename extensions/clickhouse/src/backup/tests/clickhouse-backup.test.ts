import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { addDays } from '../../../../../server/src/analytics/day.ts';
import {
  aggregate,
  erasing,
  eventOn,
  readAll,
} from '../../../../../server/src/analytics/tests/store-samples.ts';
import { openBackup } from '../../../../../server/src/backup/check-backup.ts';
import { closeNow } from '../../../../../server/src/backup/copy-connection.ts';
import { createBackup } from '../../../../../server/src/backup/create-backup.ts';
import { openSnapshot } from '../../../../../server/src/backup/snapshot-store.ts';
import { newFile, restore } from '../../../../../server/src/backup/tests/backup-run.ts';
import { createDatabase, runSql } from '../../../../../server/test/support/fresh-database.ts';
import { createClickHouseDatabase } from '../../../test/support/clickhouse-database.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { ClickHouse } from '../../store/clickhouse.ts';
import { createClickHouseAnalyticsStore } from '../../store/clickhouse-analytics-store.ts';
import { deletionLock } from '../../store/coordination/deletion-lock.ts';
import { newClickHouseStore } from '../../store/tests/new-clickhouse-store.ts';
import { backedByClickHouse } from '../backed-by-clickhouse.ts';

const never = new AbortController().signal;
const limits = { answerMs: 120_000, connections: 2 };
const all = { from: '2026-01-28', to: '2026-02-03' };
const options = { version: '1.2.3', log: () => {}, cancelled: never };

// [D115] [D205]
describe('a backup of a store in ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  if (!isClickHouseInstalled()) return;
  const { store, address, url, sql, beforeClose } = await newClickHouseStore();
  await store.prepare();
  const clickHouse = new ClickHouse(url, limits);
  beforeClose(() => clickHouse.close());
  const source = { main: address, analytics: null, engine: backedByClickHouse(clickHouse) };

  /** Ids have every character that a line of tab-separated values escapes. */
  const events = Array.from({ length: 400 }, (_, n) =>
    eventOn(addDays(all.from, n % 7), {
      eventId: `id ${n} \t\n\\ "'é\u{1f600}`,
      learnerId: 1 + (n % 9),
      contentRefId: 1 + (n % 5),
      marketId: n % 2 === 0 ? null : 1,
      progress: n % 3 === 0 ? n / 7 : null,
    }),
  ).map((event) => ({ ...event, progress: event.progress && Math.trunc(event.progress * 1e6) / 1e6 }));
  await store.appendEvents(1, events);
  await aggregate(store, 1, all, { marketIds: [1] });
  await store.appendEvents(1, [eventOn(all.from)]);
  await aggregate(store, 1, { from: all.from, to: all.from }, { marketIds: [1] });
  const before = await readAll(store, 1, [1]);

  async function backUp(): Promise<string> {
    const file = await newFile();
    await createBackup(source, file, options);
    return file;
  }

  /** Restores into new databases, and returns the store on them. */
  async function restored(file: string) {
    const main = await createDatabase();
    const { url: newUrl } = await createClickHouseDatabase();
    const target = new ClickHouse(newUrl, limits);
    const summary = await restore(file, { main, analytics: null, engine: backedByClickHouse(target) });
    await target.close();
    return {
      summary,
      store: createClickHouseAnalyticsStore({ address: main, clickHouseUrl: newUrl }),
      newUrl,
      main,
    };
  }

  it('has the rows that PostgreSQL has published in its snapshot, and restores a store that continues', async () => {
    // Rows that do not count: of an interrupted aggregation, of an interrupted request, and replaced ones.
    await clickHouse.run(
      `insert into daily (brand_id, month, day, generation) values (1, 202601, 20482, 78)`,
    );
    await clickHouse.run(`insert into learning_events (brand_id, month, day, batch, event_id) values
      (1, 202601, 20482, 9007199254740991, 'orphan')`);
    const file = await backUp();
    const { reader, manifest } = await openBackup(file, never);
    await reader.close();
    assert.equal(manifest.format, 2);
    const rows = manifest.clickhouse?.tables.reduce(
      (sum, table) => sum + (table.name === 'learning_events' ? table.rows : 0),
      0,
    );
    assert.equal(rows, 401);

    const copy = await restored(file);
    try {
      assert.deepEqual(copy.summary.leftOut, []);
      await copy.store.prepare();
      assert.deepEqual(await readAll(copy.store, 1, [1]), before);
      assert.equal((await copy.store.appendEvents(1, events)).duplicates, 400);
      await copy.store.appendEvents(1, [eventOn(all.to)]);
      await aggregate(copy.store, 1, all, { marketIds: [1] });
      assert.equal((await readAll(copy.store, 1)).daily.at(-1)?.cumulative.views, 402);
      assert.deepEqual(await readAll(store, 1, [1]), before, 'the source has changed');
      const ids = [
        sql('select store_id from analytics.clickhouse_store'),
        runSql(copy.main, 'select store_id from analytics.clickhouse_store'),
      ];
      const [ours, theirs] = await Promise.all(ids);
      assert.notDeepEqual(ours, theirs, 'two databases have one id');
    } finally {
      await copy.store.close();
    }
  });

  it('has no running totals, which the restored store writes again', async () => {
    const days = { from: all.from, to: addDays(all.to, 7) };
    await store.appendEvents(4, [eventOn(days.from), eventOn(days.to)]);
    await aggregate(store, 4, days);
    await store.upkeep(days.to);
    const totals = 'select from analytics.running_totals where brand_id = 4';
    assert.equal((await sql(totals)).length, 4);
    // Nothing is due: what is written again has to be marked by the restore.
    await store.upkeep(days.to);
    const copy = await restored(await backUp());
    await copy.store.close();
    assert.equal((await runSql(copy.main, totals)).length, 0);
    const again = createClickHouseAnalyticsStore({
      address: copy.main,
      clickHouseUrl: copy.newUrl,
      leastTotalRows: 1,
    });
    try {
      await again.prepare();
      await again.upkeep(days.to);
      assert.equal((await runSql(copy.main, totals)).length, 4);
      await aggregate(again, 4, { from: days.to, to: days.to });
      assert.equal((await readAll(again, 4)).daily.at(-1)?.cumulative.views, 2);
    } finally {
      await again.close();
    }
  });

  it('keeps rows from being deleted while it is written, and erased learners hidden until then', async () => {
    await store.appendEvents(2, [eventOn(all.from), eventOn(all.from, { learnerId: 2 })]);
    await aggregate(store, 2, all);
    const snapshot = await openSnapshot(address, deletionLock);
    await aggregate(store, 2, all);
    await store.eraseLearner(2, 1, erasing);
    assert.deepEqual(
      (await readAll(store, 2)).users.map(({ learnerId }) => learnerId),
      [2],
    );
    const old = "set since = since - interval '2 hours'";
    await sql(`update analytics.stale_layers ${old}; update analytics.hidden_learners ${old}`);
    await store.upkeep(all.to);
    const count = async (where: string) =>
      (await clickHouse.numbers(`select count() as n from users where brand_id = 2 and ${where}`))[0];
    assert.deepEqual([await count('user_id = 1'), await count('user_id = 2')], [2, 2]);
    await closeNow(snapshot.client);
    await store.upkeep(all.to).then(() => store.upkeep(all.to));
    assert.deepEqual([await count('user_id = 1'), await count('user_id = 2')], [0, 1]);
    assert.equal((await sql('select from analytics.hidden_learners')).length, 0);
  });

  it('is one snapshot, also while events and aggregations go on', async () => {
    let isWriting = true;
    let views = 0;
    const writing = (async () => {
      while (isWriting) {
        await store.appendEvents(3, [eventOn(all.from), eventOn(all.from, { learnerId: 2 })]);
        await aggregate(store, 3, { from: all.from, to: all.from });
        views += 1;
      }
    })();
    const files = [await backUp(), await backUp()];
    isWriting = false;
    await writing;
    for (const file of files) {
      const copy = await restored(file);
      try {
        const { daily, users } = await readAll(copy.store, 3);
        assert.ok((daily[0]?.totals.views ?? 0) <= 2 * views);
        for (const user of users) assert.equal(2 * user.views, daily[0]?.totals.views);
        // All that count, and nothing else: aggregating again may only add events that were not aggregated yet.
        await aggregate(copy.store, 3, { from: all.from, to: all.from });
        const [row] = await runSql<{ events: number }>(
          copy.main,
          'select events::integer as events from analytics.brand_days where brand_id = 3',
        );
        assert.equal((await readAll(copy.store, 3)).daily[0]?.totals.views ?? 0, row?.events ?? 0);
      } finally {
        await copy.store.close();
      }
    }
  });

  it('is refused without ClickHouse, and by a database that is not empty', async () => {
    await assert.rejects(
      createBackup({ main: address, analytics: null }, await newFile(), options),
      /set BRANDPORT_CLICKHOUSE_URL/,
    );
    const file = await backUp();
    const main = await createDatabase();
    await assert.rejects(
      restore(file, { main, analytics: null }),
      /set BRANDPORT_CLICKHOUSE_URL to an empty database/,
    );
    const { url: strange } = await createClickHouseDatabase();
    const target = new ClickHouse(strange, limits);
    await target.run('create table users (id Int32) order by id');
    await assert.rejects(
      restore(file, { main, analytics: null, engine: backedByClickHouse(target) }),
      /is not empty: it has users/,
    );
    assert.deepEqual(await target.numbers('select count() as n from users'), [0]);
    await target.run('drop table users sync');

    // A restore that fails empties the database; one that is killed leaves its mark, and the next one starts over.
    const other = await createDatabase();
    await runSql(other, 'create table mine (id integer)');
    await assert.rejects(
      restore(file, { main: other, analytics: null, engine: backedByClickHouse(target) }),
      /The database is not empty/,
    );
    for (const text of [
      'create table store_identity (id String) order by id',
      `insert into store_identity values ('restoring')`,
    ])
      await target.run(text);
    await restore(file, { main, analytics: null, engine: backedByClickHouse(target) });
    await target.close();
  });

  it('leaves no file behind when ClickHouse is the one of another store', async () => {
    const file = await newFile();
    const { url: empty } = await createClickHouseDatabase();
    const another = new ClickHouse(empty, limits);
    await another.run('create table store_identity (id String) order by id');
    await assert.rejects(
      createBackup({ ...source, engine: backedByClickHouse(another) }, file, options),
      /does not belong to this analytics store/,
    );
    await another.close();
    assert.deepEqual(await readdir(dirname(file)), []);
  });
});
