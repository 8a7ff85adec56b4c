import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type PlanNode, summarize } from '../../../../test/plans/plan-summary.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import type { Statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { readChunkLines } from '../chunk-lines-store.ts';
import { packLines } from '../feed.ts';
import { sendFeed } from './feeds.ts';
import { lineWith, newStockedBrand } from './stocked-brand.ts';

const apps = await createTestApps({ runsJobs: false });

/** Captures the statement that reads a chunk, which it does not run. */
async function chunkStatement(brandId: number, id: number): Promise<Statement<unknown>> {
  const sent: Statement<unknown>[] = [];
  const run = async (statement: Statement<unknown>) => {
    sent.push(statement);
    return [];
  };
  const tx = { run } as unknown as Transaction;
  await readChunkLines(tx, { brandId, id, nextLine: 0 } as never, packLines);
  return sent[0] as Statement<unknown>;
}

// Statistics do not know a feed that was received since. A plan for few lines must not read the feed for each of many.
it('a chunk of a feed that is newer than the statistics reads each of its lines a few times', async () => {
  const { client, brandId } = await newStockedBrand(apps);
  const lines = (count: number) => Array.from({ length: count }, (_, n) => lineWith(n, { sku: `NONE-${n}` }));
  await sendFeed(client, lines(5 * packLines));
  const { pool } = apps.database;
  await pool.query('analyze stock_feed_packs');
  const { json } = await sendFeed(client, lines(3 * packLines));
  const found = await pool.query('select id from stock_feeds where tu_id = $1', [json.feed_id]);
  const { text, values } = await chunkStatement(brandId, found.rows[0].id);
  // Without a name, so that it is planned for these values.
  const explained = await pool.query(`explain (analyze, format json) ${text}`, [...(values ?? [])]);
  const { rows } = summarize(explained.rows[0]['QUERY PLAN'][0].Plan as PlanNode);
  assert.ok(rows >= packLines && rows < 5 * packLines, `${rows} rows in one node of the plan`);
});
