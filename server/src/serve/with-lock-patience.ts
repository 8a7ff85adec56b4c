import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { isLockTimeout } from '../postgres/database-errors.ts';
import { type LockWaiting, lockPatienceMs } from '../postgres/schema/bookkeeping.ts';
import { StartError } from './start-error.ts';

const retryMs = 200;

/** Says that a start waits for a lock. */
export function logLockWait(log: Log): void {
  log('warn', 'waiting for a lock that another session of the database holds');
}

/**
 * Runs a step of the start that may be repeated, and repeats it while another session has locked its tables.
 * @throws StartError after a minute; the reason of `cancelled`, without waiting for the step
 */
export async function withLockPatience<T>(
  step: () => Promise<T>,
  { onWait, cancelled }: LockWaiting,
): Promise<T> {
  const deadline = performance.now() + lockPatienceMs;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => {});
  const stop = () => reject(cancelled?.reason);
  cancelled?.addEventListener('abort', stop);
  try {
    for (let isTold = false; ; isTold = true) {
      cancelled?.throwIfAborted();
      const attempt = step();
      attempt.catch(() => {});
      try {
        return await Promise.race([attempt, stopped]);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        if (performance.now() > deadline)
          throw new StartError(
            `Another session has locked tables of the database for ${lockPatienceMs / 1_000} s. docs/monitoring.md, "Locks", finds it. ` +
              `(${(error as Error).message})`,
            { cause: error },
          );
        if (!isTold) onWait?.();
      }
      await sleep(retryMs, undefined, { signal: cancelled }).catch(() => {});
    }
  } finally {
    cancelled?.removeEventListener('abort', stop);
  }
}
