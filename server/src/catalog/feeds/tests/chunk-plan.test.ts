import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type PlanNode, summarize } from '../../../../test/plans/plan-summary.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import type { Statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { chunkLines, writeFeedLines } from '../feed-chunk-store.ts';
import { sendFeed } from './feeds.ts';
import { lineWith, newStockedBrand } from './stocked-brand.ts';

const apps = await createTestApps({ runsJobs: false });

/** Captures the statement of a chunk, which it does not run. */
async function chunkStatement(brandId: number, id: number): Promise<Statement<unknown>> {
  const sent: Statement<unknown>[] = [];
  const run = async (statement: Statement<unknown>) => {
    sent.push(statement);
    return [{ counts: null, moved: [], without_stock: [], unsettled: [] }];
  };
  const tx = { run } as unknown as Transaction;
  await writeFeedLines(tx, { brandId, id, tuId: 'x', nextLine: 0 } as never, null);
  return sent[0] as Statement<unknown>;
}

// Statistics do not know a feed that was received since. A plan for few lines must not read the feed for each of many.
it('a chunk of a feed that is newer than the statistics reads each of its lines a few times', async () => {
  const { client, brandId } = await newStockedBrand(apps);
  const lines = (count: number) => Array.from({ length: count }, (_, n) => lineWith(n, { sku: `NONE-${n}` }));
  await sendFeed(client, lines(5 * chunkLines));
  const { pool } = apps.database;
  await pool.query('analyze stock_feed_packs');
  const { json } = await sendFeed(client, lines(3 * chunkLines));
  const found = await pool.query('select id from stock_feeds where tu_id = $1', [json.feed_id]);
  const { text, values } = await chunkStatement(brandId, found.rows[0].id);
  // Without a name, so that it is planned for these values.
  const explained = await pool.query(`explain (analyze, format json) ${text}`, [...(values ?? [])]);
  const { rows } = summarize(explained.rows[0]['QUERY PLAN'][0].Plan as PlanNode);
  assert.ok(rows >= chunkLines && rows < 5 * chunkLines, `${rows} rows in one node of the plan`);
});
