import type { Brandport } from '@brandport/client';
import {
  type DatasetName,
  type DatasetTable,
  datasetTables,
  withoutCumulative,
} from '../columns/datasets.ts';
import {
  type DatasetPlan,
  type Day,
  type KnownDays,
  planDatasets,
  readStatus,
  type ServiceStatus,
} from './plan.ts';
import { emptyDigest, type ReadDay, readDays, type Window } from './read.ts';
import {
  addedColumns,
  knownDaysOf,
  type WarehouseProblem,
  type WarehouseRun,
  type WarehouseTarget,
  withDays,
  withFinishedDataset,
} from './state.ts';

/** A step of a run, for progress and logs. */
export type PullEvent =
  | { readonly kind: 'replaced'; readonly dataset: DatasetName; readonly days: number; readonly rows: number }
  | ({ readonly kind: 'repeated'; readonly dataset: DatasetName } & Window)
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
  const { cumulative } = target.state;
  const tables = tablesOf(options.datasets, cumulative);
  await target.removeLeftovers();
  const added = new Map(tables.map((table) => [table.name, addedColumns(target.state, table)]));
  for (const [dataset, columns] of added)
    if (columns.length > 0) onEvent({ kind: 'widened', dataset, columns });
  const plans = await planDatasets({
    brandport,
    signal,
    tables,
    knownOf: (name) => knownDaysOf(target.state, name, options.from),
    isFull: (name) => options.full === true || added.get(name)?.length !== 0,
    skipsCorrected: !cumulative,
  });
  options.onPlanned?.(plans);
  for (const plan of plans) {
    const dataset = plan.table.name;
    const onRepeat = (window: Window) => onEvent({ kind: 'repeated', dataset, ...window });
    const reader = { brandport, signal, cumulative, folder: target.temporary, onRepeat };
    await readDays(reader, plan, (read) => replace(target, plan, read, onEvent));
    await target.saveState(withFinishedDataset(target.state, plan));
  }
}

async function replace(
  target: WarehouseTarget,
  plan: DatasetPlan,
  days: readonly ReadDay[],
  onEvent: (event: PullEvent) => void,
): Promise<void> {
  const { table } = plan;
  if (days.length === 0) return;
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

export interface VerifyOptions extends WarehouseRun {
  readonly onDays?: ((days: number, rows: number) => void) | undefined;
}

/**
 * Compares a warehouse with its state and with the rows that the service returns, day by day. Reads all rows, and changes
 * nothing. The labels of contents are not compared. @throws CliError, BrandportError
 */
export async function verify(options: VerifyOptions): Promise<WarehouseProblem[]> {
  const { brandport, target, signal } = options;
  const { cumulative } = target.state;
  const tables = tablesOf(options.datasets, cumulative);
  const problems: WarehouseProblem[] = [];
  for await (const problem of target.inspect(tables)) problems.push(problem);
  const knownOf = (name: DatasetName): KnownDays => knownDaysOf(target.state, name, undefined);
  const plans = await planDatasets({
    brandport,
    signal,
    tables,
    knownOf,
    isFull: () => true,
    skipsCorrected: false,
  });
  for (const plan of plans) problems.push(...(await compareRows(options, plan)));
  return problems;
}

async function compareRows(options: VerifyOptions, plan: DatasetPlan): Promise<WarehouseProblem[]> {
  const { brandport, target, signal, onDays } = options;
  const { table, changes } = plan;
  const stored = target.state.datasets[table.name]?.days ?? {};
  const problems: WarehouseProblem[] = [];
  const folder = target.hasRows === undefined ? null : target.temporary;
  const reader = { brandport, cumulative: target.state.cumulative, signal, folder };
  await readDays(reader, plan, async (read) => {
    for (const day of read) {
      const [{ date, digest }, what] = [day, `${table.name} ${day.date}`];
      const isServed = changes.days === null || changes.days.has(date);
      if (stored[date] === undefined) problems.push({ kind: 'missing', what });
      else if (stored[date].digest !== digest)
        problems.push({ kind: isServed || digest !== emptyDigest ? 'differs' : 'superfluous', what });
      else if ((await target.hasRows?.(table, day)) === false) problems.push({ kind: 'damaged', what });
    }
    onDays?.(
      read.length,
      read.reduce((sum, { rows }) => sum + rows, 0),
    );
  });
  return problems.sort((a, b) => (a.what < b.what ? -1 : 1));
}
