import { addDays } from './days.ts';
import type { PlannedDay } from './plan-days.ts';

/** Days one after the other, without a gap, that one walk reads. */
export type Slice = readonly PlannedDay[];

/** Rows of a slice to aim at: some fifty requests, which a change of a day costs at most. */
const wantedRows = 25_000;

/**
 * Cuts days into slices. The first slice has one day; later ones are as long as the rows of the days before allow, up to
 * `cap`: a quiet dataset is read in long windows, which cost one request, a busy one by day, so that little is read again if a
 * day changes or the run stops.
 */
export class SliceQueue {
  readonly #days: PlannedDay[];
  readonly #cap: number;
  #length = 1;

  constructor(days: readonly PlannedDay[], cap: number) {
    this.#days = [...days];
    this.#cap = cap;
  }

  /** Returns the next slice; null after the last one. */
  next(): Slice | null {
    const [first] = this.#days;
    if (first === undefined) return null;
    let length = 1;
    while (
      length < this.#length &&
      length < this.#days.length &&
      this.#days[length]?.date === addDays(first.date, length)
    )
      length += 1;
    return this.#days.splice(0, length);
  }

  /** Learns from a slice that was read. */
  learn(days: number, rows: number): void {
    const fitting = Math.floor((wantedRows * days) / Math.max(rows, 1));
    this.#length = Math.max(1, Math.min(fitting, this.#length * 4, this.#cap));
  }

  /** Puts a slice back, to be read in halves. */
  putBack(slice: Slice): void {
    this.#days.unshift(...slice);
    this.#length = Math.max(1, Math.floor(slice.length / 2));
  }
}
