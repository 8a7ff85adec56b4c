import { datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import type { FromArchive } from '../../../../server/src/backup/backed-engine.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import type { ImportInto, MovingEngine } from '../../../../server/src/backup/moving-engine.ts';
import { backedByClickHouse } from '../backup/backed-by-clickhouse.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { deleteAllRows } from './delete-rows-store.ts';
import { releaseHidden, writeBrandRows } from './export-rows-store.ts';
import { publishImport } from './import-attempt-store.ts';
import { countLayers, importRows } from './import-rows-store.ts';
import { whileImporting } from './running-import.ts';

/** Tables that describe rows of one ClickHouse, and those of a store in PostgreSQL that was copied to ClickHouse. */
export const leftBehind: ReadonlySet<string> = new Set([
  'event_batches',
  'generation_attempts',
  'stale_layers',
  'hidden_learners',
  'running_totals',
  'totals_marks',
  'learning_events',
  ...datasetNames,
]);

/** Moves the rows of brands from and to a ClickHouse database. */
export function movingClickHouse(clickHouse: ClickHouse): MovingEngine {
  return {
    ...backedByClickHouse(clickHouse),
    leftBehind,
    settle: (tx, brandId) => releaseHidden(clickHouse, tx, brandId),
    exportBrand: (snapshot, brandId, to) => writeBrandRows(snapshot, brandId, { ...to, clickHouse }),
    importBrand: (into, part, from, addTables) => importBrand(clickHouse, into, { part, ...from }, addTables),
    removeBrand: (client, brandId, options) => deleteAllRows(clickHouse, client, brandId, options),
  };
}

async function importBrand(
  clickHouse: ClickHouse,
  { address, client, brandId }: ImportInto,
  { part, reader, log, cancelled }: FromArchive & { readonly part: EnginePart },
  addTables: (cancelled: AbortSignal) => Promise<void>,
) {
  return whileImporting(address, brandId, countLayers(part), async (running) => {
    const options = { log, cancelled: AbortSignal.any([cancelled, running.lost]) };
    // Of imports that were interrupted. One that is still sending has other numbers.
    await deleteAllRows(clickHouse, running.client, brandId, options);
    const { days, ...added } = await importRows({ clickHouse, brandId }, part, running, {
      reader,
      ...options,
    });
    await addTables(options.cancelled);
    await running.settle();
    await publishImport(client, brandId, running, days);
    return added;
  });
}
