import type { Brandport } from '@brandport/client';
import type { DatasetName, DatasetTable } from '../columns/dataset-table.ts';
import type { SpilledDay } from './day-spill.ts';
import type { Day } from './days.ts';
import type { StoredDay, WarehouseState } from './warehouse-state.ts';

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
  replaceDays(table: DatasetTable, days: readonly SpilledDay[], next: NextState): Promise<void>;
  saveState(state: WarehouseState): Promise<void>;
  /** Removes what a killed run wrote and the state does not describe. */
  removeLeftovers(): Promise<void>;
  /** Compares what is stored with the state. */
  inspect(tables: readonly DatasetTable[]): AsyncIterable<WarehouseProblem>;
  /** Removes temporary files and the lock. */
  close(): Promise<void>;
}
