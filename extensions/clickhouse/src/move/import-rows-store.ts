import { type Day, dayOfNumber } from '../../../../server/src/analytics/day.ts';
import { datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import type { FromArchive } from '../../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../../server/src/backup/backup-error.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import { insertMember } from '../backup/rows-into-clickhouse.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { movedColumns, movedEventColumns } from './export-rows-store.ts';
import type { ImportNumbers } from './import-attempt-store.ts';

type Part = EnginePart['tables'][number];

export interface ImportedRows {
  readonly tables: number;
  readonly rows: number;
  readonly days: readonly Day[];
}

export function countLayers({ tables }: EnginePart): number {
  return Math.max(0, ...tables.map(({ layer = -1 }) => layer + 1));
}

/**
 * Inserts the rows of a checked file under the numbers of an import, and compares their number month by month. Nothing reads them
 * until they are published.
 * @throws BackupError when a row is missing; the reason of `cancelled`
 */
export async function importRows(
  { clickHouse, brandId }: { readonly clickHouse: ClickHouse; readonly brandId: number },
  { tables }: EnginePart,
  numbers: ImportNumbers,
  { log, ...from }: FromArchive,
): Promise<ImportedRows> {
  let rows = 0;
  for (const part of tables) {
    await insertMember(clickHouse, part, from, { brandId, ...numberedBy(part, numbers) });
    log('info', `${part.member}: ${part.rows} rows`);
    rows += part.rows;
  }
  const days = await clickHouse.numbers(
    `select distinct day from learning_events where brand_id = ${brandId} and batch = ${numbers.batch} order by day`,
  );
  return { tables: new Set(tables.map(({ name }) => name)).size, rows, days: days.map(dayOfNumber) };
}

/** @throws BackupError when the file has another table, or other columns */
function numberedBy({ name, columns, layer }: Part, { batch, generation }: ImportNumbers) {
  const dataset = datasetNames.find((one) => one === name);
  const known = dataset === undefined ? movedEventColumns : movedColumns(dataset);
  const isKnown = dataset !== undefined ? layer !== undefined : name === 'learning_events';
  if (!isKnown || columns.join() !== known.join())
    throw new BackupError(`its table ${name} has other columns than this version's`);
  return dataset === undefined
    ? { column: 'batch', number: batch }
    : { column: 'generation', number: generation + (layer ?? 0) };
}
