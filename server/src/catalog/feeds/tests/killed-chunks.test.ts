// processes, alone: random feeds whose connections are killed, compared with a model
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { isConnectionFailure } from '../../../postgres/database-errors.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import {
  addProducts,
  assertFeedsTrue,
  assertTotalsAddUp,
  levelsOf,
  reportOf,
  type SentLine,
  sendFeed,
  unobserved,
} from './feeds.ts';
import { newModelBrand, StockModel } from './stock-model.ts';

const apps = await createTestApps();
const random = (below: number) => Math.floor(Math.random() * below);
const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;

const more = Array.from({ length: 800 }, (_, index) => `S${index}`);

function anyLine(): SentLine {
  return {
    sku: pick([pick(['A', 'B', 'P-1', 'P-2', 'P', 'X']), pick(more), pick(more), pick(more)]),
    location_code: pick(['L', 'M', 'OFF', 'NOWHERE']),
    quantity: random(4),
    ...(random(3) === 0 && { reserved: random(3) }),
    ...(random(2) === 0 && { updated_at: new Date(Date.now() + random(20_000) - 10_000).toISOString() }),
  };
}

const killsPerRound = 8;

/**
 * Kills the transactions of the apps at random times until `done` is true, and some at most: on a busy machine a chunk can
 * take longer than the time between two kills. Returns how many were killed.
 */
async function killUntil(done: () => boolean): Promise<number> {
  const killer = new pg.Client({ ...apps.address, application_name: 'killer' });
  await killer.connect();
  let killed = 0;
  while (!done() && killed < killsPerRound) {
    await sleep(random(40));
    const { rows } = await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'killer' and backend_type = 'client backend'
         and xact_start is not null and query ~ 'stock|idempotency|^(begin|commit)'`,
    );
    killed += rows.length;
  }
  await killer.end();
  return killed;
}

it('feeds in chunks of any sizes equal the model, although their connections are killed', async () => {
  const { client, brandId } = await newModelBrand(apps);
  await addProducts(apps, brandId, more);
  const model = new StockModel();
  for (const sku of more) model.stockable.add(sku);
  const size = {
    note: () => {},
    get lines() {
      return 1 + random(random(1_000) + 1);
    },
  };
  let killed = 0;
  for (let round = 0; round < 4; round += 1) {
    const lines = Array.from({ length: 2_600 }, anyLine);
    const { json } = await sendFeed(client, lines);
    let isDone = false;
    const killing = killUntil(() => isDone);
    while (!isDone)
      try {
        isDone =
          (await applyBrandFeeds(apps.context, unobserved, brandId, { sliceMs: 1_000, size })) === 'finished';
      } catch (error) {
        if (isConnectionFailure(error)) continue;
        isDone = true;
        throw error;
      }
    killed += await killing;
    const report = await reportOf(client, json.feed_id);
    assert.equal(report.status, 'completed', report.message);
    assertTotalsAddUp(report.totals);
    const expected = model.apply(lines, Date.parse(report.received_at));
    const stored = await apps.sql<{ result: string }>(
      `select l.result from stock_feed_lines l join stock_feeds f on f.brand_id = l.brand_id and f.id = l.feed_id
       where f.tu_id = $1 order by l.line`,
      [json.feed_id],
    );
    assert.deepEqual(
      stored.map(({ result }) => result),
      expected,
    );
    const levels = [...(await levelsOf(apps, brandId))].map(
      ([place, { quantity, reserved, source_updated_at }]) =>
        [place, { quantity, reserved, at: source_updated_at.getTime() }] as const,
    );
    assert.deepEqual(new Map(levels), model.levels);
    await assertFeedsTrue(apps);
  }
  assert.ok(killed > 4, `${killed} transactions were killed`);
});
