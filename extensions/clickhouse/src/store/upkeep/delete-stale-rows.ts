import { dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { withHeartbeat } from '../beats.ts';
import type { ClickHouse } from '../clickhouse.ts';
import { deleteAttempts } from '../coordination/layer-store.ts';
import {
  deleteStaleLayers,
  listBrandsWithLeftAttempts,
  listLeftAttempts,
  listStaleLayers,
} from '../coordination/stale-layer-store.ts';
import { generationTables } from '../dataset-shape.ts';
import { integer, listOf, monthOf } from '../literals.ts';
import { type KeptUp, onDatasets } from './kept-up.ts';

const layersAtOnce = 2_000;

/** Deletes the rows of interrupted aggregations, and those that are no longer published. Returns the number of each. */
export async function deleteStaleRows(kept: KeptUp): Promise<{ attempts: number; layers: number }> {
  let attempts = 0;
  for (const brandId of await listBrandsWithLeftAttempts(kept.jobs))
    attempts += await onDatasets(kept, brandId, 0, (tx) => deleteAttemptsOf(tx, kept.clickHouse, brandId));
  let layers = 0;
  for (;;) {
    const deleted = await kept.jobs.transaction((tx) => deleteLayers(tx, kept));
    if (deleted === 0) return { attempts, layers };
    layers += deleted;
  }
}

/** Returns the number of layers. */
async function deleteLayers(tx: Transaction, { jobs, clickHouse }: KeptUp): Promise<number> {
  const stale = await listStaleLayers(jobs, layersAtOnce);
  if (stale.length === 0) return 0;
  await withHeartbeat(tx, async (signal) => {
    for (const table of generationTables) {
      const gone = stale.filter((layer) => layer.table === table);
      if (gone.length === 0) continue;
      const rows = gone.map(
        ({ brandId, day, generation }) =>
          `(${integer(brandId)}, ${dayNumberOf(day)}, ${integer(generation)})`,
      );
      const months = [...new Set(gone.map(({ day }) => monthOf(day)))];
      await clickHouse.run(
        `delete from ${table} where month in ${listOf(months)} and (brand_id, day, generation) in (${rows.join(', ')})`,
        { signal },
      );
    }
  });
  await deleteStaleLayers(tx, stale);
  return stale.length;
}

/** Under the brand's lock, so that no aggregation is running: what has begun and is not published never will be. */
async function deleteAttemptsOf(tx: Transaction, clickHouse: ClickHouse, brandId: number): Promise<number> {
  const generations = await listLeftAttempts(tx, brandId);
  if (generations.length === 0) return 0;
  await withHeartbeat(tx, async (signal) => {
    for (const table of generationTables)
      await clickHouse.run(
        `delete from ${table} where brand_id = ${integer(brandId)} and generation in ${listOf(generations)}`,
        { signal },
      );
  });
  return deleteAttempts(tx, brandId, generations);
}
