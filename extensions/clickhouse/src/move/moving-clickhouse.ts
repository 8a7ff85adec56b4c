import { datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import type { MovingEngine } from '../../../../server/src/backup/moving-engine.ts';
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

export function movingClickHouse(clickHouse: ClickHouse): MovingEngine {
  return {
    ...backedByClickHouse(clickHouse),
    leftBehind,
    settle: (tx, brandId) => releaseHidden(clickHouse, tx, brandId),
    exportBrand: (snapshot, brandId, to) => writeBrandRows(snapshot, brandId, { ...to, clickHouse }),
    importBrand: ({ address, client, brandId }, part, { reader, log, cancelled }, addTables) =>
      whileImporting(address, brandId, countLayers(part), async (running) => {
        const from = { reader, log, cancelled: AbortSignal.any([cancelled, running.lost]) };
        // Of imports that were interrupted. One that is still sending has other numbers.
        await deleteAllRows(clickHouse, running.client, brandId, from);
        const { days, ...added } = await importRows({ clickHouse, brandId }, part, running, from);
        await addTables(from.cancelled);
        // No sign of life after the publication, which deletes the record of the import.
        await running.stop();
        running.lost.throwIfAborted();
        await publishImport(client, brandId, running, days);
        return added;
      }),
    removeBrand: (client, brandId, options) => deleteAllRows(clickHouse, client, brandId, options),
  };
}
