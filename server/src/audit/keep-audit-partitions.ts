import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../postgres/database.ts';
import { isLockTimeout } from '../postgres/sqlstate.ts';
import { makeAuditPartition } from './audit-partition-store.ts';

/** Attempts to get the locks, half a second each; statements that waited behind them continue in between. */
const mostAttempts = 10;
const pauseMs = 1_000;

export interface AuditUpkeep {
  readonly made: readonly string[];
  /** True if the locks were not free; the next upkeep continues. */
  readonly isPostponed: boolean;
}

/**
 * Creates the partitions of the current month and the two after it. Until then, entries are stored in the default partition.
 * Safe to run concurrently, and again after a crash at any point.
 */
export async function keepAuditPartitions(
  database: Database,
  now: number,
  { attempts = mostAttempts, signal }: { readonly attempts?: number; readonly signal?: AbortSignal } = {},
): Promise<AuditUpkeep> {
  const made: string[] = [];
  for (const month of monthsAhead(new Date(now)))
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        const name = await database.transaction((tx) => makeAuditPartition(tx, month));
        if (name !== null) made.push(name);
        break;
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        if (attempt === attempts) return { made, isPostponed: true };
      }
      await sleep(pauseMs, undefined, { signal });
    }
  return { made, isPostponed: false };
}

function monthsAhead(now: Date): Date[] {
  return [0, 1, 2].map((n) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n)));
}
