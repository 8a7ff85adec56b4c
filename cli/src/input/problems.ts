import type { Place } from './input-rows.ts';

/** A row, a product or a file that the input has to correct. */
export interface Problem {
  /** `file:line`, or the SKU. */
  readonly at: string;
  readonly message: string;
}

/** Collects problems; keeps the first ones and counts all of them. */
export class Problems {
  readonly kept: Problem[] = [];
  #count = 0;
  readonly #most: number;

  constructor(most = 1_000) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  add(place: Place | string, message: string): void {
    this.#count += 1;
    const at = typeof place === 'string' ? place : `${place.file}:${place.line}`;
    if (this.kept.length < this.#most) this.kept.push({ at, message });
  }
}
