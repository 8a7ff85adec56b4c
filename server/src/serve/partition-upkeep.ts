import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { Database } from '../postgres/database.ts';
import { keepPartitions, type PartitionUpkeep } from '../postgres/partitions/keep-partitions.ts';

/** The proof of an end reads the partition, and no request waits for it; its other steps give up after half a second. */
const limits = { connect: 5_000, lock: 5_000, statement: 0, answer: 0, idleTransaction: 60_000 };

/** Runs `keepPartitions` on a connection of its own, without a time limit for statements. */
export async function keepPartitionsOf(
  address: DatabaseAddress,
  signal?: AbortSignal,
): Promise<PartitionUpkeep> {
  const options = { applicationName: 'brandport-partitions', poolSize: 1, readPoolSize: 1, limits };
  const database = new Database({ address, ...options });
  try {
    return await keepPartitions(database, signal && { signal });
  } finally {
    await database.close();
  }
}
