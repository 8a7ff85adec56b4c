import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { isLockTimeout } from '../sqlstate.ts';
import {
  announcePartitionEnd,
  openNextPartition,
  validatePartitionEnd,
  withdrawPartitionEnd,
} from './partition-store.ts';
import { leastPartitionBytes, type PartitionedTable, partitionedTables } from './partitioned-tables.ts';

/** Attempts to get the locks of the last step, half a second each; statements that waited behind them continue in between. */
const mostAttempts = 10;
const pauseMs = 1_000;

export interface PartitionUpkeep {
  /** The names of the partitions that were added. */
  readonly opened: readonly string[];
  /** The tables whose locks were not free; the next upkeep continues there. */
  readonly postponed: readonly string[];
}

export interface PartitionUpkeepOptions {
  readonly leastBytes?: number;
  readonly attempts?: number;
  /** Stops between two steps. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives each partitioned table its next partition long before an id needs it. An id beyond the last end always has a
 * partition, so an upkeep that is late costs nothing but the size of a partition. Safe to run concurrently, and again after a
 * crash at any point. A proof reads the whole partition, so `database` must not limit the time of statements.
 * @throws DatabaseError of a proof that failed, after the announced end was withdrawn
 */
export async function keepPartitions(
  database: Database,
  { leastBytes = leastPartitionBytes, attempts = mostAttempts, signal }: PartitionUpkeepOptions = {},
): Promise<PartitionUpkeep> {
  const opened: string[] = [];
  const postponed: string[] = [];
  for (const table of partitionedTables) {
    signal?.throwIfAborted();
    try {
      const name = await keepTable(database, table, { leastBytes, attempts, signal });
      if (name !== null) opened.push(name);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      postponed.push(table.table);
    }
  }
  return { opened, postponed };
}

async function keepTable(
  database: Database,
  table: PartitionedTable,
  { leastBytes, attempts, signal }: Required<PartitionUpkeepOptions>,
): Promise<string | null> {
  const partition = await database.transaction((tx) => announcePartitionEnd(tx, table, leastBytes));
  if (partition === null) return null;
  try {
    await database.transaction((tx) => validatePartitionEnd(tx, partition));
  } catch (error) {
    // Rows that were imported with ids beyond the end, or the database went away. An end that is announced and never made
    // would refuse inserts some day.
    await database.transaction((tx) => withdrawPartitionEnd(tx, partition));
    throw error;
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction((tx) => openNextPartition(tx, table));
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts) throw error;
    }
    await sleep(pauseMs, undefined, { signal });
  }
}
