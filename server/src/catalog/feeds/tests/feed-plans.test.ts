import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PlanRecorder } from '../../../../test/plans/plan-recorder.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { readChunkLines } from '../chunk-lines-store.ts';
import { packLines } from '../feed.ts';
import { sendFeed, unobserved } from './feeds.ts';
import { lineWith, newStockedBrand } from './stocked-brand.ts';

// Before the apps open connections.
const recorder = new PlanRecorder();
const apps = await createTestApps({ runsJobs: false });
const lines = (count: number) => Array.from({ length: count }, (_, n) => lineWith(n, { sku: `NONE-${n}` }));

/** Returns the plans of what `work` sends, for the values at hand. */
async function plansOf(work: () => Promise<unknown>) {
  recorder.plans.length = 0;
  await recorder.record(work);
  assert.deepEqual(recorder.failures, []);
  return recorder.plans.filter(({ mode }) => mode === 'custom');
}

// First, while nothing was analysed [internal-206].
it('the failed lines that are left are looked up one by one, also on tables without statistics', async () => {
  const { client, brandId } = await newStockedBrand(apps);
  const sent = await sendFeed(client, lines(10 * packLines));
  while ((await applyBrandFeeds(apps.context, unobserved, brandId, { sliceMs: 60_000 })) !== 'finished');
  const plans = await plansOf(async () => {
    for (const form of ['?left=true', '?left=true&result=unknown_sku', '.csv?left=true']) {
      const path = `/brands/${brandId}/feeds/${sent.json.feed_id}/lines${form}`;
      assert.match((await apps.admin.get(path)).text, /NONE-0/);
    }
  });
  assert.equal(plans.filter(({ statement }) => statement.includes('_left')).length, 5);
  for (const { statement, rows } of plans)
    assert.ok(rows <= 10 * packLines, `${rows} rows in one node of ${statement}`);
});

// Statistics do not know a feed that was received since. A plan for few lines must not read the feed for each of many.
it('a chunk of a feed that is newer than the statistics reads each of its lines a few times', async () => {
  const { client, brandId } = await newStockedBrand(apps);
  await sendFeed(client, lines(5 * packLines));
  const { pool } = apps.database;
  await pool.query('analyze stock_feed_packs');
  const { json } = await sendFeed(client, lines(3 * packLines));
  const found = await pool.query('select id from stock_feeds where tu_id = $1', [json.feed_id]);
  const feed = { brandId, id: found.rows[0].id, nextLine: 0 } as never;
  const [plan] = await plansOf(() => apps.database.transaction((tx) => readChunkLines(tx, feed, packLines)));
  const rows = plan?.rows ?? 0;
  assert.ok(rows >= packLines && rows < 5 * packLines, `${rows} rows in one node of the plan`);
});
