import { type DatasetName, datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import type { ToArchive } from '../../../../server/src/backup/backed-engine.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import type { Snapshot } from '../../../../server/src/backup/snapshot-store.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { columnsOf, shapes } from '../store/dataset-shape.ts';
import { eventColumns } from '../store/schema.ts';
import { countedEvents, listPublishedMonths, listPublishedRows } from './queries/read-clickhouse-records.ts';
import { type Member, writeEvents, writeMember } from './write-member-store.ts';

/** Generations in one statement, whose text names each of them. */
const rowsAtOnce = 50_000;

/**
 * Adds the rows in ClickHouse that count in PostgreSQL's snapshot: events of its committed batches and rows of its published
 * generations, a member for each month of a table, in bounded memory. The caller keeps them from being deleted meanwhile.
 * @throws BackupError if ClickHouse does not return all rows
 */
export async function writeClickHouse(
  clickHouse: ClickHouse,
  snapshot: Snapshot,
  to: ToArchive,
): Promise<EnginePart> {
  const writing = { ...to, clickHouse };
  const tables = await writeEvents(writing, await countedEvents(snapshot.client), Object.keys(eventColumns));
  for (const dataset of datasetNames)
    for (const month of await listPublishedMonths(snapshot.client, dataset))
      tables.push(await writeMember(writing, await rowsOf(snapshot, dataset, month)));
  return { version: await readVersion(clickHouse), tables };
}

async function rowsOf(snapshot: Snapshot, dataset: DatasetName, month: number): Promise<Member> {
  const published = await listPublishedRows(snapshot.client, dataset, month);
  const conditions: string[] = [];
  for (let start = 0; start < published.length; start += rowsAtOnce) {
    const some = published.slice(start, start + rowsAtOnce);
    const named = some.map(({ brandId, day, generation }) => `(${brandId}, ${day}, ${generation})`);
    const brands = `brand_id between ${some[0]?.brandId} and ${some.at(-1)?.brandId}`;
    conditions.push(
      `month = ${month} and ${brands} and (brand_id, day, generation) in (${named.join(', ')})`,
    );
  }
  return { name: dataset, month, columns: columnsOf(shapes[dataset]), conditions };
}

async function readVersion(clickHouse: ClickHouse): Promise<string> {
  const [row] = await clickHouse.rows('select version()');
  return row?.[0] ?? '';
}
