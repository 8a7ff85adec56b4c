import { addDays, dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { countTotals, earlierRows, takeTotals } from '../aggregation/earlier-sums.ts';
import { withHeartbeat } from '../beats.ts';
import {
  type DueTotals,
  deleteTotalsMarks,
  listDueTotals,
  lockTotalsMarks,
} from '../coordination/due-totals-store.ts';
import { listHiddenLearners } from '../coordination/hidden-learner-store.ts';
import { beginGeneration, endGeneration, listLayers } from '../coordination/layer-store.ts';
import { publishTotals, retireTotals } from '../coordination/totals-store.ts';
import { notHidden, shapes, totalsColumns, totalsTable } from '../dataset-shape.ts';
import { groupedOnDisk, integer, monthOf } from '../literals.ts';
import { type KeptUp, onDatasets } from './kept-up.ts';

/** Marks of one transaction. An aggregation that ends meanwhile waits for it. */
const marksAtOnce = 200;

/**
 * Writes the running totals of datasets whose aggregation would otherwise add up more than `leastRows` rows. Examines the brands
 * that have a mark, so that its cost depends on what was aggregated since the last run. Returns the number of datasets. A dataset
 * that is being aggregated is left to the next run.
 */
export async function writeTotals(kept: KeptUp, leastRows: number): Promise<number> {
  let written = 0;
  for (let after = 0; ; ) {
    const examined = await kept.jobs.transaction((tx) => examineMarks(tx, leastRows, after));
    if (examined === null) return written;
    for (const due of examined.due)
      if (await onDatasets(kept, due.brandId, false, (tx) => writeTotalsOf(tx, kept, due, leastRows)))
        written += 1;
    after = examined.last;
  }
}

/** Deletes the marks of brands without due totals. The others keep theirs until the run after they were written. */
async function examineMarks(
  tx: Transaction,
  leastRows: number,
  after: number,
): Promise<{ readonly due: readonly DueTotals[]; readonly last: number } | null> {
  const brandIds = await lockTotalsMarks(tx, after, marksAtOnce);
  const last = brandIds.at(-1);
  if (last === undefined) return null;
  // A separate statement, so that it sees what was committed before the marks were locked.
  const due = await listDueTotals(tx, leastRows, brandIds);
  const dueIds = new Set(due.map(({ brandId }) => brandId));
  await deleteTotalsMarks(
    tx,
    brandIds.filter((id) => !dueIds.has(id)),
  );
  return { due, last };
}

async function writeTotalsOf(
  tx: Transaction,
  { writes, clickHouse }: KeptUp,
  { brandId, dataset }: DueTotals,
  leastRows: number,
): Promise<boolean> {
  // Another process may have written them since they were listed.
  const due = (await listDueTotals(tx, leastRows, [brandId])).find((each) => each.dataset === dataset);
  if (due === undefined) return false;
  const { through } = due;
  const shape = shapes[dataset];
  const layers = await listLayers(tx, brandId, dataset);
  const counted = { brandId, dataset, hiddenLearnerIds: await listHiddenLearners(tx, brandId) };
  const totals = await takeTotals(tx, clickHouse, { ...counted, from: through });
  const rows = earlierRows(shape, { brandId, layers, totals }, addDays(through, 1), null);
  if (rows === null) return false;
  const generation = await writes.transaction((attempt) => beginGeneration(attempt, brandId));
  const keys = shape.keys.join(', ');
  await withHeartbeat(tx, (signal) =>
    clickHouse.run(
      `insert into ${totalsTable(dataset)} (${totalsColumns(shape).join(', ')})
       select ${integer(brandId)}, ${monthOf(through)}, ${dayNumberOf(through)}, ${integer(generation)}, ${keys},
         ${shape.cumulated.map((column) => `sum(${column})`).join(', ')}
       from (${rows}) where true${notHidden(shape, counted.hiddenLearnerIds)} group by ${keys}
       ${groupedOnDisk}`,
      { signal },
    ),
  );
  const published = { through, generation };
  const count = await countTotals(clickHouse, counted, published);
  await retireTotals(tx, brandId, dataset);
  await publishTotals(tx, brandId, dataset, { ...published, rows: count });
  await endGeneration(tx, brandId, generation);
  return true;
}
