import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Below this utilization the event loop has time to spare; a feed alone keeps it busy for a twentieth of the time. */
const calm = 0.3;
/** The longest pause, as a multiple of the time that the work took; applies to a fully busy event loop. */
const longestPause = 5;

/**
 * Returns how long to pause, in milliseconds, after a piece of work that took `workMs` milliseconds, during which the
 * event loop was busy for the fraction `utilization` (0 to 1) of the time.
 */
export function pauseAfter(workMs: number, utilization: number): number {
  return utilization <= calm ? 0 : (workMs * longestPause * (utilization - calm)) / (1 - calm);
}

/**
 * Runs a piece of background work, then pauses in proportion to the load of this process, because clients wait for
 * responses and nobody waits for a feed. Without the pauses, a feed of 100,000 lines cost a busy machine two thirds of its
 * reads. There is no pause after work that throws.
 */
export async function yieldingToRequests<T>(work: () => Promise<T>): Promise<T> {
  const before = performance.eventLoopUtilization();
  const start = performance.now();
  const value = await work();
  const { utilization } = performance.eventLoopUtilization(before);
  const pause = pauseAfter(performance.now() - start, utilization);
  if (pause >= 1) await sleep(pause);
  return value;
}
