import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { aggregate, eventOn, readAll } from '../../../../../server/src/analytics/tests/store-samples.ts';
import { copyConnectionOptions } from '../../../../../server/src/backup/copy-connection.ts';
import { openConnection } from '../../../../../server/src/postgres/sessions/session-client.ts';
import { exportTo, importFrom } from '../../../../brand-moves/src/tests/moved-brand.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { eventLines } from '../../store/event-lines.ts';
import { eventColumns } from '../../store/schema.ts';
import { beginImport, publishImport, renewImport } from '../import-attempt-store.ts';
import { whileImporting } from '../running-import.ts';
import { aged, newStoreCell, twoHours } from './clickhouse-cells.ts';
import { days, eventsOf, fillStore } from './filled-brand.ts';
import type { ImportWork } from './import-process.ts';

/** In numbers of batches and generations. */
const second = 1_000 * 8_192;

// [D193] [D215]
describe('an import into a cell with ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  if (!isClickHouseInstalled()) return;
  type Target = Awaited<ReturnType<typeof newStoreCell>>;
  const eventColumnNames = Object.keys(eventColumns);
  const plantRow = ({ clickHouse }: Target, brandId: number, generation: number) =>
    clickHouse.run(`insert into users (brand_id, month, day, generation, user_id, views, cumulative_views)
      values (${brandId}, 202601, 20481, ${generation}, 1, 1000, 1000)`);
  const plantEvent = ({ clickHouse }: Target, brandId: number, batch: number) =>
    clickHouse.insert('learning_events', eventColumnNames, eventLines(brandId, batch, [eventOn(days.from)]));

  const source = await newStoreCell();
  await source.sql(`insert into brands (id, name) overriding system value values (7, 'Moves')`);
  await fillStore(source.store, 7);
  const wanted = await readAll(source.store, 7, [1]);
  const [numbers] = await source.sql<{ batches: number[]; generations: number[] }>(
    `select (select array_agg(distinct batch::float8) from analytics.event_batches) as batches,
       (select array_agg(distinct g::float8) from analytics.published_layers, unnest(generations) as g) as generations`,
  );
  const { batches = [], generations = [] } = numbers ?? {};
  // What no request has committed does not move.
  await plantEvent(source, 7, Math.max(...batches) + second);
  await plantRow(source, 7, Math.max(...generations) + second);
  const file = await exportTo(source.cell, 7);

  /** A cell with the brand 8, which has events. */
  async function newTarget(): Promise<Target & { other: Awaited<ReturnType<typeof readAll>> }> {
    const target = await newStoreCell();
    await fillStore(target.store, 8);
    return { ...target, other: await readAll(target.store, 8, [1]) };
  }

  /** The brand is as in its first cell, and continues. */
  async function assertMoved({ store, other }: Awaited<ReturnType<typeof newTarget>>): Promise<void> {
    assert.deepEqual(await readAll(store, 7, [1]), wanted);
    assert.deepEqual(await readAll(store, 8, [1]), other);
    await aggregate(store, 7, days, { marketIds: [1] });
    assert.deepEqual(
      (await readAll(store, 7, [1])).users,
      wanted.users,
      'exactly the events that count have moved',
    );
    assert.equal((await store.appendEvents(7, eventsOf('early'))).duplicates, 300);
  }

  /** Nothing of the brand is visible, and PostgreSQL has nothing but the record of what was begun. */
  async function assertNothing({ sql, store }: Target): Promise<void> {
    const tables = ['event_batches', 'published_layers', 'event_claims', 'brand_days', 'dataset_revisions'];
    for (const table of tables)
      assert.deepEqual(await sql(`select from analytics.${table} where brand_id = 7`), [], table);
    assert.deepEqual(await sql('select from brands where id = 7'), []);
    const rows = await readAll(store, 7, [1]);
    assert.deepEqual([rows.daily, rows.contents, rows.users, rows.engagement], [[], [], [], []]);
  }

  it('replaces all that ClickHouse has under the numbers of the file, of the cell, or of later ones', async () => {
    const target = await newTarget();
    const [sealed] = await target.sql<{ before: number }>(
      'select sealed_before::float8 as before from analytics.clickhouse_store',
    );
    const future = Math.max(...generations) + twoHours;
    for (const batch of [...batches, (sealed?.before ?? 0) - 1, future])
      for (const brandId of [7, 8])
        if (brandId === 7 || batch > (sealed?.before ?? 0)) await plantEvent(target, brandId, batch);
    for (const generation of [...generations, future]) await plantRow(target, 7, generation);
    await target.sql(`insert into analytics.generation_attempts values (7, ${future}, now())`);
    assert.deepEqual(await readAll(target.store, 8, [1]), target.other);
    await importFrom(file, target.cell);
    await assertMoved(target);
    const [numbered] = await target.sql<{ least: number }>(
      `select min(generations[1])::float8 as least from analytics.published_layers where brand_id = 7`,
    );
    assert.ok((numbered?.least ?? 0) > 0);
    // What the interrupted attempt sends now is still not read, and is deleted.
    await plantRow(target, 7, future);
    await target.sql(aged);
    const before = await readAll(target.store, 7, [1]);
    await target.store.upkeep(days.to);
    assert.deepEqual(await readAll(target.store, 7, [1]), before);
    const left = await target.clickHouse.numbers(
      `select count() as n from users where generation = ${future}`,
    );
    assert.deepEqual(left, [0]);
  });

  it('that is killed at any point leaves nothing to be seen, and the upkeep deletes it', async () => {
    const target = await newTarget();
    const script = fileURLToPath(new URL('./import-process.ts', import.meta.url));
    const children = new Set<ReturnType<typeof spawn>>();
    after(() => {
      for (const child of children) child.kill('SIGKILL');
    });
    // Within the events, the datasets, the main database, and the analytics.
    for (const seen of [
      /clickhouse\.learning_events\.202601/,
      /clickhouse\.users\.202602\.1/,
      /public\.brands/,
      /analytics\.published_layers/,
    ]) {
      const work: ImportWork = {
        file,
        main: target.address,
        clickHouseUrl: target.url,
        stopsAt: seen.source,
      };
      const child = spawn(
        process.execPath,
        [...process.execArgv, '--conditions=source', script, JSON.stringify(work)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      children.add(child);
      let wasSeen = false;
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (!seen.test(line)) return;
        wasSeen = true;
        child.kill('SIGKILL');
      });
      const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
      children.delete(child);
      assert.deepEqual([wasSeen, code], [true, null], String(seen));
      await assertNothing(target);
      assert.ok((await target.countRows('brand_id = 7')) > 0, 'rows were sent');
    }
    // An hour later, by the age of the numbers and of the last signs of life.
    await target.clickHouse.run(
      `alter table learning_events update batch = batch - ${twoHours} where brand_id = 7`,
    );
    await target.sql(aged);
    await target.store.upkeep(days.to);
    assert.equal(await target.countRows('brand_id = 7'), 0);
    assert.deepEqual(await target.sql('select from analytics.generation_attempts'), []);
    assert.deepEqual(await readAll(target.store, 8, [1]), target.other);
    await importFrom(file, target.cell);
    await assertMoved(target);
  });

  it('may take longer than the upkeep waits, as long as it shows that it is alive', async () => {
    const target = await newTarget();
    const client = await openConnection(copyConnectionOptions(target.address, 'brandport-test'));
    target.beforeClose(() => client.end());
    const begun = await beginImport(client, 7, 2);
    await target.sql(`update analytics.generation_attempts set generation = generation - ${twoHours}`);
    const old = { batch: begun.batch - twoHours, generation: begun.generation - twoHours, layers: 2 };
    assert.equal(await renewImport(client, 7, old), true);
    await plantEvent(target, 7, old.batch);
    for (const generation of [old.generation, old.generation + 1]) await plantRow(target, 7, generation);
    await target.store.upkeep(days.to);
    assert.equal(await target.countRows('brand_id = 7'), 3);
    const sealed = async () =>
      (
        await target.sql<{ ok: boolean }>(
          `select sealed_before <= ${old.batch} as ok from analytics.clickhouse_store`,
        )
      )[0]?.ok;
    assert.equal(await sealed(), true);

    await target.sql(aged);
    assert.deepEqual((await target.store.upkeep(days.to)).done.slice(0, 2), [
      'batches of interrupted requests deleted: 1',
      'interrupted aggregations deleted: 3',
    ]);
    assert.equal(await target.countRows('brand_id = 7'), 0);
    assert.equal(await sealed(), false);
    assert.equal(await renewImport(client, 7, old), false, 'it was given up');
  });

  it('is not published once the upkeep has given it up', async () => {
    const target = await newTarget();
    const client = await openConnection(copyConnectionOptions(target.address, 'brandport-test'));
    target.beforeClose(() => client.end());
    const begun = await beginImport(client, 7, 2);
    const publish = async () => {
      await client.query('begin');
      return publishImport(client, 7, begun, [days.from]).finally(() => client.query('rollback'));
    };
    await publish();
    for (const givenUp of [
      `update analytics.clickhouse_store set sealed_before = ${begun.batch + 1}`,
      `delete from analytics.generation_attempts where generation = ${begun.generation + 1}`,
    ]) {
      await target.sql(givenUp);
      await assert.rejects(publish(), /interrupted for too long/, givenUp);
      await target.sql(`update analytics.clickhouse_store set sealed_before = ${begun.batch}`);
    }
  });

  it('stops when it sees that the upkeep has given it up', async () => {
    const target = await newTarget();
    const stopped = whileImporting(target.address, 7, 1, async ({ lost }) => {
      await target.sql('delete from analytics.generation_attempts where brand_id = 7');
      await once(lost, 'abort');
      lost.throwIfAborted();
    });
    await assert.rejects(stopped, /interrupted for too long/);
  });

  it('adds the brand once, also if two run at the same time', async () => {
    const target = await newTarget();
    const outcomes = await Promise.allSettled([importFrom(file, target.cell), importFrom(file, target.cell)]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    await assertMoved(target);
  });
});
