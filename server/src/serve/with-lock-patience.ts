import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { lockPatienceMs } from '../postgres/schema/bookkeeping.ts';
import { isLockTimeout } from '../postgres/sqlstate.ts';
import { StartError } from './start-error.ts';

const retryMs = 200;

/** Returns a function that logs whose lock a start waits for. */
export function lockReport(log: Log): (holders: string) => void {
  return (holders) => log('warn', `waiting for a lock that is held by ${holders}`);
}

/**
 * Runs a step of the start that may be repeated, and repeats it while another session has locked its tables.
 * @throws StartError after a minute; the reason of `cancelled`, without waiting for the step
 */
export async function withLockPatience<T>(
  step: () => Promise<T>,
  cancelled: AbortSignal | undefined,
): Promise<T> {
  const deadline = performance.now() + lockPatienceMs;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => {});
  const stop = () => reject(cancelled?.reason);
  cancelled?.addEventListener('abort', stop);
  try {
    for (;;) {
      cancelled?.throwIfAborted();
      const attempt = step();
      attempt.catch(() => {});
      try {
        return await Promise.race([attempt, stopped]);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        if (performance.now() > deadline)
          throw new StartError(
            `Another session has locked tables of the database for ${lockPatienceMs / 1_000} s; the log says which. ` +
              `(${(error as Error).message})`,
            { cause: error },
          );
      }
      await sleep(retryMs, undefined, { signal: cancelled }).catch(() => {});
    }
  } finally {
    cancelled?.removeEventListener('abort', stop);
  }
}
