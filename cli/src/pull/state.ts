import type { Brandport } from '@brandport/client';
import type { DatasetName, DatasetTable } from '../columns/datasets.ts';
import { UsageError } from '../errors.ts';
import type { DatasetPlan, Day, KnownDays } from './plan.ts';
import type { ReadDay } from './read.ts';

/** The format of the stored state. A state of another one is refused. */
export const stateVersion = 1;

export type WarehouseFormat = 'parquet' | 'csv' | 'postgresql';

/** The properties that all runs into one place share. */
export interface WarehouseIdentity {
  readonly version: number;
  /** The address of the service. */
  readonly service: string;
  readonly brand_id: number;
  readonly format: WarehouseFormat;
  /** False if running totals are not stored. */
  readonly cumulative: boolean;
}

/** A day that is stored. */
export interface StoredDay {
  /** The revision of the dataset that the rows have. */
  readonly revision: number;
  readonly rows: number;
  /** SHA-256 of the rows, without labels such as `content_name`. */
  readonly digest: string;
  /** The file below the folder of the dataset, and its SHA-256; absent in a database. */
  readonly file?: string;
  readonly sha256?: string;
}

export interface StoredDataset {
  /** All days from `from` on are current as of this revision; 0 before the first complete run. */
  readonly revision: number;
  /** The columns of the stored days. */
  readonly columns?: readonly string[];
  /** The first day that was asked for; null for all that the service has. */
  readonly from: Day | null;
  /** Ascending by day. */
  readonly days: Readonly<Record<Day, StoredDay>>;
}

/** The state of a warehouse. It has no times: two runs over the same data store the same state. */
export interface WarehouseState extends WarehouseIdentity {
  readonly datasets: Readonly<Partial<Record<DatasetName, StoredDataset>>>;
}

const emptyDataset: StoredDataset = { revision: 0, from: null, days: {} };

/** A place that cannot be used for this run: of another brand or service, or filled by another program. */
export class WarehouseRefused extends UsageError {}

/** Parses a stored state. @throws WarehouseRefused */
function parseState(text: string, place: string): WarehouseState {
  let state: Partial<WarehouseState> | null = null;
  try {
    state = JSON.parse(text);
  } catch {}
  if (typeof state !== 'object' || state === null || state.datasets === undefined)
    throw new WarehouseRefused(`${place} is not a state of "brandport pull".`);
  if (state.version !== stateVersion)
    throw new WarehouseRefused(`${place} has format ${state.version}; this version writes ${stateVersion}.`);
  return state as WarehouseState;
}

/**
 * Returns the state of a place for a run: the stored one, or an empty one if nothing is stored.
 * @param stored the stored state and where it is; `text` null: nothing is stored
 * @throws WarehouseRefused if the place is not the one that this run fills
 */
export function stateOf(
  stored: { readonly text: string | null; readonly at: string },
  wanted: WarehouseIdentity,
  place: string,
): WarehouseState {
  if (stored.text === null) return { ...wanted, datasets: {} };
  const state = parseState(stored.text, stored.at);
  assertSameWarehouse(state, wanted, place);
  return state;
}

/** Checks that a warehouse is the one that this run fills. @throws WarehouseRefused */
function assertSameWarehouse(stored: WarehouseIdentity, wanted: WarehouseIdentity, place: string): void {
  const differences: [string, unknown, unknown][] = [
    ['the service', stored.service, wanted.service],
    ['brand', stored.brand_id, wanted.brand_id],
    ['format', stored.format, wanted.format],
    ['running totals', stored.cumulative ? 'stored' : 'left out', wanted.cumulative ? 'stored' : 'left out'],
  ];
  for (const [name, before, now] of differences)
    if (before !== now)
      throw new WarehouseRefused(
        `${place} was filled with ${name} ${before}, and this run has ${now}: use another place.`,
      );
}

/** Serialises a state: the same state is the same string. */
export function stateText(state: WarehouseState): string {
  return `${JSON.stringify(state, null, 1)}\n`;
}

/**
 * Returns what the state says of a dataset. With a `from` that is earlier than the stored one, the days before that are missing:
 * the place is current as of revision 0.
 */
export function knownDaysOf(
  { datasets }: WarehouseState,
  name: DatasetName,
  from: Day | undefined,
): KnownDays {
  const stored = datasets[name];
  const { revision, days, from: storedFrom } = stored ?? { ...emptyDataset, from: from ?? null };
  const isExtended = storedFrom !== null && from !== undefined && from < storedFrom;
  return {
    since: isExtended ? 0 : revision,
    // A dataset that is stored from its beginning stays so.
    from: isExtended ? from : storedFrom,
    revisionOf: (day) => days[day]?.revision,
    stored: Object.keys(days),
  };
}

/** Returns the columns that the stored days lack: all for days of a command that did not store their names [D151]. */
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
    datasets: sorted({
      ...state.datasets,
      [name]: { columns, revision: known.since, from: known.from, days },
    }),
  };
}

/** Returns the state after all planned days of a dataset were replaced. */
export function withFinishedDataset(state: WarehouseState, plan: DatasetPlan): WarehouseState {
  const { table, changes, known } = plan;
  const { days } = state.datasets[table.name] ?? emptyDataset;
  const finished = { columns: namesOf(table), revision: changes.revision, from: known.from, days };
  return { ...state, datasets: sorted({ ...state.datasets, [table.name]: finished }) };
}

function namesOf({ columns }: DatasetTable): string[] {
  return columns.map(({ name }) => name);
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A difference between a warehouse and its state. */
export interface WarehouseProblem {
  /**
   * `stray`: not in the state. `damaged`: absent, or not what was written. `missing`, `differs`: compared with the service.
   * `superfluous`: the service does not have the day any more.
   */
  readonly kind: 'stray' | 'damaged' | 'missing' | 'differs' | 'superfluous';
  /** The dataset and the day, or the path of a file. */
  readonly what: string;
}

/** Returns the state that describes the days that were just stored. */
export type NextState = (stored: Readonly<Record<Day, StoredDay>>) => WarehouseState;

/** A warehouse and the service whose datasets it holds, for a run over both. */
export interface WarehouseRun {
  readonly brandport: Brandport;
  readonly target: WarehouseTarget;
  readonly datasets: readonly DatasetName[];
  readonly signal?: AbortSignal | undefined;
}

/** The expectations of a run about a place. */
export interface OpenOptions {
  /** A run must have filled it before. */
  readonly isFilled?: boolean | undefined;
}

/** A place that holds the days of datasets together with their state. Used by one process at a time. */
export interface WarehouseTarget {
  /** The folder for temporary files; it exists. */
  readonly temporary: string;
  readonly state: WarehouseState;
  /**
   * Replaces whole days, then stores the state that `next` returns for them. After a crash at any moment the stored state
   * describes complete days; days that it does not describe yet are written again by the next run.
   */
  replaceDays(table: DatasetTable, days: readonly ReadDay[], next: NextState): Promise<void>;
  saveState(state: WarehouseState): Promise<void>;
  /** Removes what a killed run wrote and the state does not describe. */
  removeLeftovers(): Promise<void>;
  /** Compares what is stored with the state. */
  inspect(tables: readonly DatasetTable[]): AsyncIterable<WarehouseProblem>;
  /** After `inspect`: returns whether a day has exactly these rows, except for labels. Absent if `inspect` compares content. */
  hasRows?(table: DatasetTable, day: ReadDay): Promise<boolean>;
  /** Removes temporary files and the lock. */
  close(): Promise<void>;
}
