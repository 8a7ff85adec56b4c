import type { Brandport } from '@brandport/client';
import type { DatasetName, DatasetTable } from '../columns/dataset-table.ts';
import { withoutCumulative } from '../columns/dataset-table.ts';
import { datasetTables } from '../columns/dataset-tables.ts';
import { readStatus, type ServiceStatus } from './dataset-changes.ts';
import type { SpilledDay } from './day-spill.ts';
import type { Day } from './days.ts';
import { type DatasetPlan, knownDaysOf, planDatasets } from './plan-datasets.ts';
import { skipUnchangedWindows } from './probe-windows.ts';
import { readDays } from './read-days.ts';
import { addedColumns, withDays, withFinishedDataset } from './state-changes.ts';
import type { WarehouseRun, WarehouseTarget } from './target.ts';

/** A step of a run, for progress and logs. */
export type PullEvent =
  | { readonly kind: 'replaced'; readonly dataset: DatasetName; readonly days: number; readonly rows: number }
  | { readonly kind: 'repeated'; readonly dataset: DatasetName; readonly from: Day; readonly to: Day }
  /** The stored days lack columns of the table: all of them are pulled. */
  | { readonly kind: 'widened'; readonly dataset: DatasetName; readonly columns: readonly string[] };

export interface PullOptions extends WarehouseRun {
  /** The first day of a first load; default: all that the service has. */
  readonly from?: Day | undefined;
  /** Pulls all days again. */
  readonly full?: boolean | undefined;
  /** Called before the first row is read. */
  readonly onPlanned?: ((plans: readonly DatasetPlan[]) => void) | undefined;
  readonly onEvent?: ((event: PullEvent) => void) | undefined;
}

/**
 * Brings a warehouse up to date: replaces each day that changed since the last complete run, and adds new ones [D152]. An
 * interrupted run is continued by the next one.
 * @throws WarehouseRefused, CliError, BrandportError; what was pulled before stays
 */
export async function pull(options: PullOptions): Promise<void> {
  const { brandport, target, signal, onEvent = () => {} } = options;
  const tables = tablesOf(options.datasets, target.state.cumulative);
  await target.removeLeftovers();
  const added = new Map(tables.map((table) => [table.name, addedColumns(target.state, table)]));
  for (const [dataset, columns] of added)
    if (columns.length > 0) onEvent({ kind: 'widened', dataset, columns });
  const plans = await planDatasets({
    ...options,
    tables,
    knownOf: (name) => knownDaysOf(target, name, options.from),
    isFull: (name) => options.full === true || added.get(name)?.length !== 0,
    skipsCorrected: !target.state.cumulative,
  });
  options.onPlanned?.(plans);
  for (const plan of plans) {
    const days = await skipUnchangedWindows(plan, { brandport, signal });
    const reader = { brandport, signal, table: plan.table, cumulative: target.state.cumulative };
    const walks = { ...reader, folder: target.temporary };
    const onRepeat = (slice: readonly { readonly date: Day }[]) => {
      const window = { from: slice[0]?.date ?? '', to: slice.at(-1)?.date ?? '' };
      onEvent({ kind: 'repeated', dataset: plan.table.name, ...window });
    };
    await readDays({ ...walks, onRepeat }, days, (read) => replace(target, plan, read, onEvent));
    await target.saveState(withFinishedDataset(target.state, plan));
  }
}

async function replace(
  target: WarehouseTarget,
  plan: DatasetPlan,
  days: readonly SpilledDay[],
  onEvent: (event: PullEvent) => void,
): Promise<void> {
  const { table } = plan;
  await target.replaceDays(table, days, (stored) => withDays(target.state, plan, stored));
  const rows = days.reduce((sum, day) => sum + day.rows, 0);
  onEvent({ kind: 'replaced', dataset: table.name, days: days.length, rows });
}

/** Returns the tables of the datasets, in their own order. */
export function tablesOf(datasets: readonly DatasetName[], cumulative: boolean): DatasetTable[] {
  return Object.values(datasetTables)
    .filter(({ name }) => datasets.includes(name))
    .map((table) => (cumulative ? table : withoutCumulative(table)));
}

/** Reads the status of the service without changes: for the identity of a warehouse. */
export function readIdentity(brandport: Brandport, signal?: AbortSignal): Promise<ServiceStatus> {
  return readStatus(brandport, new Map(), signal);
}
