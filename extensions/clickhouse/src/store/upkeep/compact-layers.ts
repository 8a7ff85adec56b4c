import { dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { withHeartbeat } from '../beats.ts';
import { listHiddenLearners } from '../coordination/hidden-learner-store.ts';
import {
  beginGeneration,
  endGeneration,
  type LayeredDay,
  listLayeredDays,
  listLayers,
  publishDays,
} from '../coordination/layer-store.ts';
import { columnsOf, notHidden, shapes } from '../dataset-shape.ts';
import { integer, listOf, monthOf } from '../literals.ts';
import { type KeptUp, onDatasets } from './kept-up.ts';

/** Days of one run. The next run continues. */
const daysAtOnce = 200;

/** Replaces the layers of days with many corrections by one with the same rows. Revisions stay. Returns the number of days. */
export async function compactLayers(kept: KeptUp): Promise<number> {
  let days = 0;
  for (const day of await listLayeredDays(kept.jobs, daysAtOnce))
    if (await onDatasets(kept, day.brandId, false, (tx) => compactDay(tx, kept, day))) days += 1;
  return days;
}

async function compactDay(
  tx: Transaction,
  { writes, clickHouse }: KeptUp,
  layered: LayeredDay,
): Promise<boolean> {
  const { brandId, dataset, day, generations } = layered;
  // They may have been replaced since they were listed.
  const layers = await listLayers(tx, brandId, dataset);
  if (layers.get(day)?.join() !== generations.join()) return false;
  const generation = await writes.transaction((attempt) => beginGeneration(attempt, brandId));
  const shape = shapes[dataset];
  const kept = notHidden(shape, await listHiddenLearners(tx, brandId));
  const columns = columnsOf(shape);
  await withHeartbeat(tx, (signal) =>
    clickHouse.run(
      `insert into ${dataset} (${columns.join(', ')})
       select ${columns.map((column) => (column === 'generation' ? integer(generation) : `n.${column}`)).join(', ')}
       from (
         select ${columns.join(', ')} from ${dataset}
         where brand_id = ${integer(brandId)} and month = ${monthOf(day)} and day = ${dayNumberOf(day)}
           and generation in ${listOf(generations)}${kept}
         order by ${shape.keys.join(', ')}, generation desc limit 1 by ${shape.keys.join(', ')}
       ) n`,
      { signal },
    ),
  );
  await publishDays(tx, brandId, { dataset, generation }, { range: { from: day, to: day }, days: [day] });
  await endGeneration(tx, brandId, generation);
  return true;
}
