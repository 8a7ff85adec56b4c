import type { DatasetTable } from '../columns/dataset-table.ts';
import type { SpilledDay } from './day-spill.ts';
import type { Day } from './days.ts';
import type { DatasetPlan } from './plan-datasets.ts';
import { emptyDataset, type ReplacedDay, type StoredDay, type WarehouseState } from './warehouse-state.ts';

/** Strongest first, as in the API. Others count as `aggregated`. */
const causes = ['aggregated', 'exclusion', 'directory', 'corrected', 'overlap'];

/** Returns the columns that the stored days lack: all for days of a command that did not store their names [D278]. */
export function addedColumns({ datasets }: WarehouseState, table: DatasetTable): string[] {
  const { days, columns: stored = [] } = datasets[table.name] ?? emptyDataset;
  if (Object.keys(days).length === 0) return [];
  return namesOf(table).filter((column) => !stored.includes(column));
}

/** Returns the state after days of a dataset were replaced. */
export function withDays(
  state: WarehouseState,
  { table, known }: Pick<DatasetPlan, 'table' | 'known'>,
  days: readonly SpilledDay[],
  stored: Readonly<Record<Day, StoredDay>>,
): WarehouseState {
  const { name } = table;
  const dataset = state.datasets[name] ?? emptyDataset;
  const lacking = addedColumns(state, table);
  const columns = namesOf(table).filter((column) => !lacking.includes(column));
  const replaced = new Map(state.replaced.map((each) => [keyOf(each), each]));
  for (const { date, rows, revision, cause } of days) {
    const before = dataset.days[date];
    const earlier = replaced.get(keyOf({ dataset: name, date }));
    const record: ReplacedDay = {
      dataset: name,
      date,
      cause: earlier === undefined ? cause : stronger(earlier.cause, cause),
      revision_before: earlier === undefined ? (before?.revision ?? null) : earlier.revision_before,
      revision_after: revision,
      rows_before: earlier === undefined ? (before?.rows ?? null) : earlier.rows_before,
      rows_after: rows,
    };
    replaced.set(keyOf(record), record);
  }
  return {
    ...state,
    datasets: sorted({
      ...state.datasets,
      [name]: { ...dataset, columns, from: known.from, days: sorted({ ...dataset.days, ...stored }) },
    }),
    replaced: [...replaced.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  };
}

/** Returns the state after all planned days of a dataset were replaced. */
export function withFinishedDataset(state: WarehouseState, plan: DatasetPlan): WarehouseState {
  const { table, changes, known, isSweep } = plan;
  const dataset = state.datasets[table.name] ?? emptyDataset;
  const finished = {
    ...dataset,
    columns: namesOf(table),
    revision: changes.revision,
    from: known.from,
    swept: isSweep ? changes.latest : dataset.swept,
  };
  return { ...state, datasets: sorted({ ...state.datasets, [table.name]: finished }) };
}

function namesOf({ columns }: DatasetTable): string[] {
  return columns.map(({ name }) => name);
}

function keyOf({ dataset, date }: Pick<ReplacedDay, 'dataset' | 'date'>): string {
  return `${dataset} ${date}`;
}

function stronger(one: string, other: string): string {
  const rank = (cause: string) => Math.max(0, causes.indexOf(cause));
  return rank(one) <= rank(other) ? one : other;
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
