import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { packLines } from './feed.ts';

/** The time for which a chunk should hold the brand's stock lock, milliseconds: adjustments of the brand wait for it. */
const longestHoldMs = 20;
/** With fewer lines, beginning and committing takes longer than the lines. */
const leastLines = 50;

/** The number of lines of the next chunk, by the time that the chunks before it held the brand's stock lock. */
export class ChunkSize {
  #lines = 200;

  get lines(): number {
    return this.#lines;
  }

  note(lines: number, heldMs: number): void {
    // The end of a feed says nothing about a chunk that is longer.
    if (lines < this.#lines && heldMs < longestHoldMs) return;
    const fitting = Math.min((lines * longestHoldMs) / heldMs, this.#lines * 2);
    this.#lines = Math.round(Math.min(Math.max(fitting, leastLines), packLines));
  }
}

/** Below this utilization the event loop has time to spare; a feed alone keeps it busy for a twentieth of the time. */
const calm = 0.3;
/**
 * The time of work and pause while the event loop is fully busy, as a multiple of the fastest recent work. Undisturbed chunks
 * take a quarter longer than the fastest, so a feed keeps half of its speed.
 */
const longestTurn = 2.5;
/** Growth of the fastest known time with each piece, so that it follows a database that has become slower. */
const forgetting = 1.02;

/** Returns the milliseconds to pause after work that took `workMs`; undisturbed it takes `ownMs`. `utilization`: 0 to 1. */
export function pauseAfter(workMs: number, ownMs: number, utilization: number): number {
  const busy = Math.max(0, utilization - calm) / (1 - calm);
  return Math.max(0, ownMs * (1 + busy * (longestTurn - 1)) - workMs);
}

/**
 * Runs background work, with pauses while this process is busy with requests: clients wait for responses, nobody for a feed.
 * The pause shrinks when requests slow the work: a proportional one cut feeds to a tenth of their speed.
 */
export class YieldingWork {
  /** Milliseconds per item of the fastest recent work. */
  #ownMs = Number.POSITIVE_INFINITY;

  /** `itemsOf` returns the number of items that the work was about. There is no pause after work that throws. */
  async run<T>(work: () => Promise<T>, itemsOf: (value: T) => number): Promise<T> {
    const before = performance.eventLoopUtilization();
    const start = performance.now();
    const value = await work();
    const workMs = performance.now() - start;
    const { utilization } = performance.eventLoopUtilization(before);
    const items = itemsOf(value);
    if (items === 0) return value;
    this.#ownMs = Math.min(this.#ownMs * forgetting, workMs / items);
    const pause = pauseAfter(workMs, this.#ownMs * items, utilization);
    if (pause >= 1) await sleep(pause);
    return value;
  }
}
