import type { DatasetTable } from '../columns/dataset-table.ts';
import type { Day } from './days.ts';
import type { DatasetPlan } from './plan-datasets.ts';
import { emptyDataset, type StoredDay, type WarehouseState } from './warehouse-state.ts';

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
  stored: Readonly<Record<Day, StoredDay>>,
): WarehouseState {
  const { name } = table;
  const dataset = state.datasets[name] ?? emptyDataset;
  const lacking = addedColumns(state, table);
  const columns = namesOf(table).filter((column) => !lacking.includes(column));
  const days = sorted({ ...dataset.days, ...stored });
  return {
    ...state,
    datasets: sorted({ ...state.datasets, [name]: { ...dataset, columns, from: known.from, days } }),
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

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
