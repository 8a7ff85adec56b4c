import { packLines } from './feed-pack.ts';

/** The time for which a chunk should hold the brand's stock lock, milliseconds: adjustments of the brand wait for it. */
const longestHoldMs = 20;
/** With fewer lines, beginning and committing takes longer than the lines. */
const leastLines = 50;

/** The number of lines of the next chunk, by the time that the chunks before it held the brand's stock lock [D221]. */
export class ChunkSize {
  #lines = 200;

  get lines(): number {
    return this.#lines;
  }

  /** Notes that a chunk of some lines held the lock for a time. */
  note(lines: number, heldMs: number): void {
    // The end of a feed says nothing about a chunk that is longer.
    if (lines < this.#lines && heldMs < longestHoldMs) return;
    const fitting = Math.min((lines * longestHoldMs) / heldMs, this.#lines * 2);
    this.#lines = Math.round(Math.min(Math.max(fitting, leastLines), packLines));
  }
}
