import { datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import type { Snapshot } from '../../../../server/src/backup/snapshot-store.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { readVersion } from '../backup/snapshot-rows-store.ts';
import { type Writing, writeMember } from '../backup/write-member-store.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { listHiddenLearners } from '../store/coordination/hidden-learner-store.ts';
import { columnsOf, notHidden, shapes } from '../store/dataset-shape.ts';
import { releaseEvents } from '../store/event-batches.ts';
import { listOf } from '../store/literals.ts';
import { eventColumns } from '../store/schema.ts';
import { listExportedLayers, readExportedRecords } from './exported-records-store.ts';

/** The columns of events in the file. The batch is the importing cell's. */
export const movedEventColumns = Object.keys(eventColumns).filter((column) => column !== 'batch');

/** The columns of a dataset in the file. The generation is the importing cell's. */
export const movedColumns = (dataset: keyof typeof shapes) =>
  columnsOf(shapes[dataset]).filter((column) => column !== 'generation');

/**
 * Deletes the ids of the events of erased learners whose rows ClickHouse still has, as the end of their erasure would have done:
 * neither the ids nor the rows move [D215].
 */
export async function releaseHidden(clickHouse: ClickHouse, tx: Transaction, brandId: number): Promise<void> {
  for (const learnerId of await listHiddenLearners(tx, brandId))
    await releaseEvents(tx, clickHouse, brandId, learnerId);
}

/**
 * Adds a brand's events of committed batches and rows of published generations to the file, in bounded memory: a member for each
 * month of events, and for each layer of a month of a dataset. Running totals are left out: the other cell writes its own.
 * @throws BackupError if ClickHouse does not return all rows
 */
export async function writeBrandRows(
  snapshot: Snapshot,
  brandId: number,
  writing: Writing,
): Promise<EnginePart> {
  const { client } = snapshot;
  const { clickHouse } = writing;
  const { areKept, hiddenLearnerIds } = await readExportedRecords(client, brandId);
  const tables: EnginePart['tables'] = [];
  const settled = hiddenLearnerIds.length === 0 ? '' : ` and user_id not in ${listOf(hiddenLearnerIds)}`;
  const events = `brand_id = ${brandId} and ${areKept}${settled}`;
  const months = await clickHouse.numbers(
    `select distinct month from learning_events where ${events} order by month`,
  );
  for (const month of months) {
    const conditions = [`month = ${month} and ${events}`];
    const member = { name: 'learning_events', month, columns: movedEventColumns, conditions };
    tables.push(await writeMember(writing, member));
  }
  for (const dataset of datasetNames) {
    const ofBrand = `brand_id = ${brandId}${notHidden(shapes[dataset], hiddenLearnerIds)}`;
    for (const { month, layer, days } of await listExportedLayers(client, brandId, dataset)) {
      const pairs = days.map(([day, generation]) => `(${day}, ${generation})`).join(', ');
      const conditions = [`${ofBrand} and month = ${month} and (day, generation) in (${pairs})`];
      tables.push(
        await writeMember(writing, {
          name: dataset,
          month,
          layer,
          columns: movedColumns(dataset),
          conditions,
        }),
      );
    }
  }
  return { version: await readVersion(clickHouse), tables };
}
