import { findSealable, sealBefore } from '../coordination/sealed-batch-store.ts';
import { integer, listOf } from '../literals.ts';
import type { KeptUp } from './kept-up.ts';

/** Batches of a statement that deletes orphans. */
const batchesAtOnce = 1_000;

/**
 * Deletes the events of batches that were not committed within the grace period, and then declares that all batches so far are
 * committed, so that their list stays short. Returns the number of orphans.
 */
export async function sealBatches({ jobs, clickHouse }: KeptUp): Promise<number> {
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
