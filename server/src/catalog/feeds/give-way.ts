import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Up to here the event loop has time to spare; a feed alone keeps it busy for a twentieth of the time. */
const calm = 0.3;
/** A multiple of the work's duration, if the event loop was busy throughout. */
const longestPause = 5;

/**
 * Returns the pause, in milliseconds, after a piece of work that took `workMs` milliseconds while the event
 * loop was busy for the part `utilization` (0 to 1) of the time.
 */
export function pauseAfter(workMs: number, utilization: number): number {
  return utilization <= calm ? 0 : (workMs * longestPause * (utilization - calm)) / (1 - calm);
}

/**
 * Does a piece of work in the background, and pauses after it by as much as this process has requests to answer: who reads
 * waits for an answer, a feed does not. Without that a feed of 100,000 lines took two thirds of the reads of a machine that was
 * busy with them. What throws is not paused for.
 */
export async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  const before = performance.eventLoopUtilization();
  const start = performance.now();
  const value = await work();
  const { utilization } = performance.eventLoopUtilization(before);
  const pause = pauseAfter(performance.now() - start, utilization);
  if (pause >= 1) await sleep(pause);
  return value;
}
