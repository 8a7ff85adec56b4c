import { datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import { findKeptSince } from '../../../../server/src/analytics/store/coordination/event-retention-store.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import type { Snapshot } from '../../../../server/src/backup/snapshot-store.ts';
import { transactionOf } from '../../../../server/src/postgres/client-transaction.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { readVersion } from '../backup/snapshot-rows-store.ts';
import { type Writing, writeEvents, writeMember } from '../backup/write-member-store.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { committedBatches } from '../store/coordination/batch-store.ts';
import { listHiddenLearners } from '../store/coordination/hidden-learner-store.ts';
import { listLayers } from '../store/coordination/layer-store.ts';
import { columnsOf, notHidden, shapes } from '../store/dataset-shape.ts';
import { releaseEvents } from '../store/event-batches.ts';
import { type Layers, pairsOf } from '../store/layers.ts';
import { listOf, monthOf } from '../store/literals.ts';
import { eventColumns } from '../store/schema.ts';

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
  const store = transactionOf(snapshot.client);
  const hiddenLearnerIds = await listHiddenLearners(store, brandId);
  const keptSince = await findKeptSince(store);
  const since = keptSince === null ? '' : ` and month >= ${monthOf(keptSince)}`;
  const settled = hiddenLearnerIds.length === 0 ? '' : ` and user_id not in ${listOf(hiddenLearnerIds)}`;
  const events = `brand_id = ${brandId}${since} and ${await committedBatches(store, brandId)}${settled}`;
  const tables = await writeEvents(writing, events, movedEventColumns);
  for (const dataset of datasetNames) {
    const columns = movedColumns(dataset);
    const ofBrand = `brand_id = ${brandId}${notHidden(shapes[dataset], hiddenLearnerIds)}`;
    for (const { month, layer, rows } of layersByMonth(await listLayers(store, brandId, dataset))) {
      const conditions = [`${ofBrand} and month = ${month} and ${rows}`];
      tables.push(await writeMember(writing, { name: dataset, month, layer, columns, conditions }));
    }
  }
  return { version: await readVersion(writing.clickHouse), tables };
}

interface LayerOfMonth {
  readonly month: number;
  /** The place of the generations among those of their day. */
  readonly layer: number;
  /** A condition on their rows. */
  readonly rows: string;
}

function layersByMonth(layers: Layers): LayerOfMonth[] {
  return [...Map.groupBy(layers, ([day]) => monthOf(day))].flatMap(([month, days]) => {
    const deepest = Math.max(...days.map(([, generations]) => generations.length));
    return Array.from({ length: deepest }, (_, layer) => {
      const ofLayer = days.map(([day, generations]) => [day, generations.slice(layer, layer + 1)] as const);
      return { month, layer, rows: pairsOf(new Map(ofLayer), () => true, 'all') ?? 'false' };
    });
  });
}
