import type { Transaction } from '../../../../postgres/transaction.ts';
import { addDays, dayNumberOf } from '../../../day.ts';
import { tryLockDatasets } from '../../coordination/aggregation-lock.ts';
import { countTotals, earlierRows, takeTotals, withoutHidden } from '../aggregation/earlier-sums.ts';
import { beginGeneration, endGeneration, listLayers } from '../coordination/layer-store.ts';
import { type DueTotals, listDueTotals, publishTotals, retireTotals } from '../coordination/totals-store.ts';
import { shapes, totalsColumns, totalsTable } from '../dataset-shape.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { integer, monthOf } from '../literals.ts';
import type { KeptUp } from './kept-up.ts';

/** Memory for the keys of a dataset; more are grouped on disk. */
const groupBytes = 1_000_000_000;

/**
 * Writes the running totals of datasets whose aggregation would otherwise add up more than `leastRows` rows. Returns the number
 * of datasets. A dataset that is being aggregated is left to the next run.
 */
export async function writeTotals(kept: KeptUp, leastRows: number): Promise<number> {
  let written = 0;
  for (const due of await listDueTotals(kept.jobs, leastRows))
    if (await kept.jobs.forBrand(due.brandId).transaction((tx) => writeTotalsOf(tx, kept, due, leastRows)))
      written += 1;
  return written;
}

async function writeTotalsOf(
  tx: Transaction,
  { writes, clickHouse }: KeptUp,
  { brandId, dataset }: DueTotals,
  leastRows: number,
): Promise<boolean> {
  if (!(await tryLockDatasets(tx, brandId))) return false;
  // Another process may have written them since they were listed.
  const due = (await listDueTotals(tx, leastRows, brandId)).find((each) => each.dataset === dataset);
  if (due === undefined) return false;
  const { through } = due;
  const shape = shapes[dataset];
  const layers = await listLayers(tx, brandId, dataset);
  const totals = await takeTotals(tx, clickHouse, { brandId, dataset, from: through });
  const rows = earlierRows(shape, { brandId, layers, totals }, addDays(through, 1), null);
  if (rows === null) return false;
  const generation = await writes.transaction((attempt) => beginGeneration(attempt, brandId));
  const keys = shape.keys.join(', ');
  await withHeartbeat(tx, async (signal) =>
    clickHouse.run(
      `insert into ${totalsTable(dataset)} (${totalsColumns(shape).join(', ')})
       select ${integer(brandId)}, ${monthOf(through)}, ${dayNumberOf(through)}, ${integer(generation)}, ${keys},
         ${shape.cumulated.map((column) => `sum(${column})`).join(', ')}
       from (${rows}) where true${await withoutHidden(tx, brandId, dataset)} group by ${keys}
       settings max_bytes_before_external_group_by = ${groupBytes}`,
      { signal },
    ),
  );
  const published = { through, generation };
  const count = await countTotals(tx, clickHouse, { brandId, dataset, totals: published });
  await retireTotals(tx, brandId, dataset);
  await publishTotals(tx, brandId, dataset, { ...published, rows: count });
  await endGeneration(tx, brandId, generation);
  return true;
}
