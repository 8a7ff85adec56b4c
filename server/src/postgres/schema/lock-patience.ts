import { setTimeout as sleep } from 'node:timers/promises';

/** Time limit in milliseconds for the locks of an upgrade, and of a start. */
export const lockPatienceMs = 60_000;

/** The ends of a wait for locks, and who hears of it. */
export interface LockWaiting {
  /** Called once, when the wait has begun to be long. */
  readonly onWait?: (() => void) | undefined;
  /** Ends the wait with its reason. */
  readonly cancelled?: AbortSignal | undefined;
}

interface LockPatience {
  /** Returns whether a step failed because another session holds its locks. */
  readonly isBusy: (error: Error) => boolean;
  /** Returns the error after a minute; `seconds` is the patience. */
  readonly late: (error: Error, seconds: number) => Error;
  /** Between two attempts. */
  readonly retryMs: number;
  /** A wait of less than this is not reported; default: every wait is. */
  readonly quietMs?: number;
}

/**
 * Runs a step that may be repeated, and repeats it for a minute while another session holds its locks.
 * @throws what `late` returns, after a minute; the reason of `cancelled`, between two attempts; other errors of the step
 */
export async function withLockPatience<T>(
  step: () => Promise<T>,
  { onWait, cancelled }: LockWaiting,
  { isBusy, late, retryMs, quietMs = 0 }: LockPatience,
): Promise<T> {
  const startedAt = performance.now();
  for (let isReported = false; ; ) {
    cancelled?.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      if (!isBusy(error as Error)) throw error;
      const waitedMs = performance.now() - startedAt;
      if (waitedMs > lockPatienceMs) throw late(error as Error, lockPatienceMs / 1_000);
      if (!isReported && waitedMs >= quietMs) {
        isReported = true;
        onWait?.();
      }
    }
    await sleep(retryMs, undefined, { signal: cancelled }).catch(() => {});
  }
}
