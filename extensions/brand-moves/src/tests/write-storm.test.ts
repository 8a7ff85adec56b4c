import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { aggregateDueDays } from '../../../../server/src/analytics/aggregation/aggregation-service.ts';
import { EventIntake } from '../../../../server/src/analytics/events/event-intake.ts';
import { event } from '../../../../server/src/analytics/events/tests/event-sender.ts';
import type { Address } from '../../../../server/src/backup/tests/backup-run.ts';
import { applyBrandFeeds } from '../../../../server/src/catalog/feeds/apply-feeds.ts';
import { chunksOf, sendFeed } from '../../../../server/src/catalog/feeds/tests/feeds.ts';
import { lineWith, newStockedBrand } from '../../../../server/src/catalog/feeds/tests/stocked-brand.ts';
import { adjust } from '../../../../server/src/catalog/stock/tests/stock.ts';
import { migrate } from '../../../../server/src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../../../server/src/postgres/schema/schema-line.ts';
import { isClosedBrand } from '../../../../server/src/postgres/sqlstate.ts';
import type { ApiResponse } from '../../../../server/test/support/api-client.ts';
import { createDatabase, runSql } from '../../../../server/test/support/fresh-database.ts';
import { createTestApps } from '../../../../server/test/support/test-apps.ts';
import { waitFor } from '../../../../server/test/support/wait-for.ts';
import { openBrand } from '../close-brand.ts';
import { withCell } from '../move-connection.ts';
import { alone, close, digestBrand, exportTo, importFrom } from './moved-brand.ts';

const apps = await createTestApps();
const { admin, context, database, keyUsage } = apps;
const address = apps.address as Address;
const cell = alone(address);
const observer = { feedFinished: () => {}, chunkFailed: () => {} };
const linesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => lineWith(1, { sku: `NONE-${at}` }));

/** Creates a brand, and writes of each kind, which name what they store. */
async function newWrittenBrand() {
  const { brandId, client, product } = await newStockedBrand(apps);
  const path = `/brands/${brandId}`;
  assert.equal((await admin.put(`${path}/users`, { items: [{ tu_id: 'ann' }] })).status, 200);
  const writes: Record<string, (name: string, number: number) => Promise<ApiResponse>> = {
    product: (sku) => client.create('/catalog/products', { sku }),
    movement: (_, quantity) => adjust(client, product.tu_id, { location: 'L', quantity }),
    feed: (batchId) => sendFeed(client, linesOf(20), batchId),
    market: (tu_id) => admin.put(`${path}/markets`, { items: [{ tu_id }] }),
    event: (id) =>
      admin.post(`${path}/events`, {
        items: [event({ event_id: id, content: { type: 'episode', tu_id: id } })],
      }),
  };
  return { brandId, client, writes };
}

/** Lists the names of what the writes have stored. */
const stored = (brandId: number) => `
  select sku as name from products where brand_id = ${brandId} and sku <> 'A'
  union all select 'movement-' || quantity_after from stock_movements where brand_id = ${brandId}
  union all select batch_id from stock_feeds where brand_id = ${brandId} and batch_id <> 'first-feed-of-all'
  union all select tu_id from markets where brand_id = ${brandId}
  union all select event_id from analytics.learning_events where brand_id = ${brandId}
  order by 1`;

// [D202] [D203]
it('a storm of writes loses nothing that was acknowledged, and changes nothing after the brand was closed', {
  timeout: 120_000,
}, async (t) => {
  const { brandId, client, writes } = await newWrittenBrand();
  assert.equal((await sendFeed(client, linesOf(10_000), 'first-feed-of-all')).status, 202);
  const acknowledged: string[] = [];
  const refusals = new Map<string, number>();
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  const write = async (kind: string, lane: number) => {
    for (let number = lane; !isOver; number += 2) {
      const name = `${kind}-${number}`;
      const { status, text } = (await writes[kind]?.(name, number)) as ApiResponse;
      assert.ok(status < 300 || status === 503, text);
      if (status === 503) refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
      else acknowledged.push(name);
    }
  };
  /** A worker, which learns only from PostgreSQL that the brand is closed. */
  const work = async (kind: string, run: () => Promise<unknown>) => {
    for (; !isOver; await sleep(5))
      await run().catch((error: unknown) => {
        assert.ok(isClosedBrand(error), String(error));
        refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
      });
  };
  const kinds = [...Object.keys(writes), 'chunk'];
  const storm = Promise.all([
    ...Object.keys(writes).flatMap((kind) => [write(kind, 1), write(kind, 2)]),
    work('chunk', () => applyBrandFeeds(context, observer, brandId, { sliceMs: 50, size: chunksOf(7) })),
    work('aggregation', () => aggregateDueDays(context, brandId, 'wait')),
    work('usage', () => keyUsage.flush()),
  ]);
  const areStored = () => Object.keys(writes).every((kind) => acknowledged.includes(`${kind}-6`));
  await waitFor('writes of all kinds', areStored, 40_000);
  await close(cell, brandId);
  const closed = await digestBrand(address, brandId);
  const isRefused = (times: number) => kinds.every((kind) => (refusals.get(kind) ?? 0) >= times);
  await waitFor('refusals of all kinds', () => isRefused(5));
  const file = await exportTo(cell, brandId);
  refusals.clear();
  await waitFor('refusals after the export', () => isRefused(5));
  isOver = true;
  await storm;
  assert.deepEqual(await digestBrand(address, brandId), closed);

  const target = await createDatabase();
  for (const line of [mainSchema, analyticsSchema]) await migrate(target, line);
  await importFrom(file, alone(target));
  const names = (await runSql<{ name: string }>(target, stored(brandId))).map(({ name }) => name);
  assert.deepEqual(names.sort(), acknowledged.sort());

  const half = await apps.sql(
    `select next_line from stock_feeds where brand_id = $1 and batch_id = 'first-feed-of-all'
       and next_line > 0 and finished_at is null`,
    [brandId],
  );
  assert.equal(half.length, 1, 'the first feed was half applied');
  await withCell(cell, (open) => openBrand(open, brandId, true));
  assert.equal(await applyBrandFeeds(context, observer, brandId, { sliceMs: 60_000 }), 'finished');
});

it('writes that were admitted before, and begin their transactions after the brand was closed, are refused', async () => {
  const { brandId, writes } = await newWrittenBrand();
  const { pool } = database;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const answers = Object.entries(writes).map(([kind, write]) => write(`${kind}-1`, 1));
  try {
    await waitFor('admitted writes', () => pool.waitingCount === answers.length);
    await close(cell, brandId);
  } finally {
    for (const client of held) client.release();
  }
  for (const answer of answers) assert.equal((await answer).status, 503);
  assert.deepEqual(await apps.sql(stored(brandId)), []);
});

it('a request with events stores no other batch once the brand is closed, although it knows its content', async () => {
  const { brandId } = await newWrittenBrand();
  const intake = new EventIntake(context, context.analytics, brandId);
  const batch = context.analytics.eventBatchSize;
  for (let index = 0; index < batch; index += 1) await intake.add(index, event());
  await intake.settle();
  await close(cell, brandId);
  await intake.add(batch, event());
  await assert.rejects(intake.finish(), isClosedBrand);
  const rows = await apps.sql('select count(*) as n from analytics.learning_events where brand_id = $1', [
    brandId,
  ]);
  assert.deepEqual(rows, [{ n: batch }]);
});
