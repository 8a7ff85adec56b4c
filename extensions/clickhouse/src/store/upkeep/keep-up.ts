import { listLeftLearners } from '../coordination/hidden-learner-store.ts';
import { findSealable, sealBefore } from '../coordination/sealed-batch-store.ts';
import { deleteHiddenLearner } from '../event-batches.ts';
import { integer, listOf } from '../literals.ts';
import { compactLayers } from './compact-layers.ts';
import { deleteStaleRows } from './delete-stale-rows.ts';
import type { KeptUp } from './kept-up.ts';
import { writeTotals } from './write-totals.ts';

const learnersAtOnce = 100;

/**
 * See `AnalyticsEngine.upkeep`. Finishes erasures, deletes what interrupted writes have left and what is no longer published,
 * compacts days with many corrections, and writes running totals: without it, the store grows and slows down forever.
 */
export async function keepUp(kept: KeptUp, leastTotalRows: number): Promise<{ done: string[] }> {
  const done: string[] = [];
  const learners = await listLeftLearners(kept.jobs, learnersAtOnce);
  for (const { brandId, learnerId } of learners) await deleteHiddenLearner(kept, brandId, learnerId);
  if (learners.length > 0) done.push(`erasures finished: ${learners.length}`);
  const orphans = await sealBatches(kept);
  if (orphans > 0) done.push(`batches of interrupted requests deleted: ${orphans}`);
  const { attempts, layers } = await deleteStaleRows(kept);
  if (attempts > 0) done.push(`interrupted aggregations deleted: ${attempts}`);
  if (layers > 0) done.push(`replaced layers deleted: ${layers}`);
  const days = await compactLayers(kept);
  if (days > 0) done.push(`days compacted: ${days}`);
  const totals = await writeTotals(kept, leastTotalRows);
  if (totals > 0) done.push(`running totals written: ${totals}`);
  return { done };
}

/** Batches of a statement that deletes orphans. */
const batchesAtOnce = 1_000;

/**
 * Deletes the events of batches that were not committed within the grace period, and then declares that all batches so far are
 * committed, so that their list stays short. Returns the number of orphans.
 */
async function sealBatches({ jobs, clickHouse }: KeptUp): Promise<number> {
  const sealable = await findSealable(jobs);
  if (sealable === null) return 0;
  const { sealedBefore, cutoff, committed } = sealable;
  const known = new Set(committed);
  const found = await clickHouse.numbers(
    `select distinct batch from learning_events where batch >= ${integer(sealedBefore)} and batch < ${integer(cutoff)}`,
  );
  const orphans = found.filter((batch) => !known.has(batch));
  for (let start = 0; start < orphans.length; start += batchesAtOnce)
    await clickHouse.run(
      `delete from learning_events where batch in ${listOf(orphans.slice(start, start + batchesAtOnce))}`,
    );
  await jobs.transaction((tx) => sealBefore(tx, cutoff));
  return orphans.length;
}
