// processes, alone: random adjustments, feeds and re-queues at the same time, whose chains are then read in full
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertFeedsTrue, levelsOf } from '../../src/catalog/feeds/tests/feeds.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { createTestApps } from '../support/test-apps.ts';
import { waitFor } from '../support/wait-for.ts';
import { checkFold, checkInstants, checkOrigins, checkRefused, type Reports } from './check-chain.ts';
import { linesOf, StockStorm } from './stock-storm.ts';
import { type Chain, walkChain } from './walk-chain.ts';

const apps = await createTestApps({ runsJobs: true });
const { admin } = apps;

const rounds = 2;
const writers = 8;
const writesEach = 40;
/** Small and odd, so that pages begin and end everywhere. */
const limit = 7;
const instantsEach = 15;

/** Lets all writers work at the same time, and waits until every feed is applied. */
async function runWrites(storm: StockStorm): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let count = 0; count < writesEach; count += 1) {
        if (writer === 0 && count === writesEach / 2) {
          await storm.createLate();
          await storm.sendLongFeed();
        }
        await storm.write();
      }
    }),
  );
  await waitFor(
    'the end of all feeds',
    async () => {
      const unfinished = await Promise.all(
        ['queued', 'processing'].map((status) =>
          ok(admin.get(`/brands/${storm.brandId}/feeds?status=${status}&per_page=1`)),
        ),
      );
      return unfinished.every(({ meta }) => meta.total === 0);
    },
    60_000,
  );
}

async function readReports({ brandId, sent }: StockStorm): Promise<Reports> {
  const reports = new Map();
  for (const feedId of sent.feeds.keys()) reports.set(feedId, await linesOf(admin, brandId, feedId));
  const { meta } = await ok(admin.get(`/brands/${brandId}/feeds?per_page=1`));
  assert.equal(meta.total, sent.feeds.size, 'every accepted feed is one that the storm knows');
  return reports;
}

/** Returns instants at and just before entries, and those of refused lines. */
function instantsOf({ entries, refused }: Chain): string[] {
  const times = [...entries, ...refused].map(({ at }) => Date.parse(at));
  const all = [...new Set(times.flatMap((time) => [time, time - 1]))].sort();
  const every = Math.max(1, Math.floor(all.length / instantsEach));
  return all.filter((_, index) => index % every === 0).map((time) => new Date(time).toISOString());
}

// [internal-70] [D120]
it('explains every quantity from 0 on, at any instant, by the writes that were sent, and lists each refused line once', async () => {
  for (let round = 1; round <= rounds; round += 1) {
    const storm = await StockStorm.create(apps);
    await runWrites(storm);
    const { brandId, sent } = storm;
    const reports = await readReports(storm);
    const levels = await levelsOf(apps, brandId);
    const chains: Chain[] = [];
    for (const place of storm.places) {
      const chain = await walkChain(admin, brandId, place, limit);
      assert.equal(chain.level?.quantity, levels.get(place)?.quantity, place);
      checkFold(chain);
      checkOrigins(chain, sent, reports);
      checkRefused(chain, sent, reports);
      await checkInstants(admin, brandId, chain, instantsOf(chain));
      chains.push(chain);
    }
    const entries = chains.flatMap((chain) => chain.entries);
    const ids = new Set(entries.map(({ id }) => id));
    for (const id of sent.adjustments.keys()) assert.ok(ids.has(id), `adjustment ${id} is in a chain`);
    const [ledger] = await apps.sql('select count(*) as n from stock_movements where brand_id = $1', [
      brandId,
    ]);
    assert.equal(entries.length, ledger?.['n'], 'the chains have every movement of the ledger');
    // The storm must have produced what the checks are about.
    const results = new Set([...reports.values()].flatMap((lines) => lines.map(({ result }) => result)));
    for (const result of ['applied', 'unchanged', 'stale', 'superseded', 'unknown_sku', 'not_stockable'])
      assert.ok(results.has(result), `no line was ${result}`);
    assert.ok(sent.adjustments.size > 20 && entries.some(({ feed }) => feed !== null));
    assert.ok([...sent.feeds.values()].some(({ batchId }) => batchId.startsWith('requeue:')));
  }
  await assertFeedsTrue(apps);
});
