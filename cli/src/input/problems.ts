import type { Place } from './input-rows.ts';

/** A row, a product or a file that the input has to correct. */
export interface Problem {
  /** `file:line`, or the SKU; of a problem that repeats, the first place. */
  readonly at: string;
  readonly message: string;
  /** The number of places, if there are several. */
  readonly count?: number;
  /** The next places, up to 20. */
  readonly alsoAt?: readonly string[];
}

const mostPlaces = 20;

/** Collects problems; keeps the first ones and counts all of them. */
export class Problems {
  readonly kept: Problem[] = [];
  #count = 0;
  readonly #most: number;
  /** The places of `kept` by message; null: each place is a problem. */
  readonly #places: Map<string, number> | null;

  /** @param mergesEqual keeps a message once, with the places at which it repeats */
  constructor(most = 1_000, { mergesEqual = false } = {}) {
    this.#most = most;
    this.#places = mergesEqual ? new Map() : null;
  }

  get count(): number {
    return this.#count;
  }

  add(place: Place | string, message: string): void {
    this.#count += 1;
    const at = typeof place === 'string' ? place : `${place.file}:${place.line}`;
    const index = this.#places?.get(message);
    const known = index === undefined ? undefined : this.kept[index];
    if (index !== undefined && known !== undefined) {
      const { count = 1, alsoAt = [] } = known;
      const places = alsoAt.length < mostPlaces ? [...alsoAt, at] : alsoAt;
      this.kept[index] = { ...known, count: count + 1, alsoAt: places };
    } else if (this.kept.length < this.#most) {
      this.#places?.set(message, this.kept.length);
      this.kept.push({ at, message });
    }
  }
}
