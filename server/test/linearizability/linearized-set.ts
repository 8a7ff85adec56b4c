/**
 * The set of operations that a partial linearization contains, as a bitset over their numbers.
 *
 * Operations are numbered by invocation, so a partial linearization is "everything below `low`, and a few above it".
 * Only the words between these bounds go into the key, which keeps keys short for histories of any length.
 */
export class LinearizedSet {
  readonly #words: Uint32Array;
  readonly #size: number;
  /** All numbers below are in the set. */
  #low = 0;
  /** No number from here on is in the set. */
  #high = 0;

  constructor(size: number) {
    this.#size = size;
    this.#words = new Uint32Array((size >>> 5) + 1);
  }

  has(number: number): boolean {
    return ((this.#words[number >>> 5] as number) & (1 << (number & 31))) !== 0;
  }

  add(number: number): void {
    this.#words[number >>> 5] = (this.#words[number >>> 5] as number) | (1 << (number & 31));
    this.#high = Math.max(this.#high, number + 1);
    while (this.#low < this.#size && this.has(this.#low)) this.#low += 1;
  }

  delete(number: number): void {
    this.#words[number >>> 5] = (this.#words[number >>> 5] as number) & ~(1 << (number & 31));
    this.#low = Math.min(this.#low, number);
    while (this.#high > 0 && !this.has(this.#high - 1)) this.#high -= 1;
  }

  /** Identifies the content: equal keys mean equal sets. */
  key(): string {
    const first = this.#low >>> 5;
    const last = this.#high === 0 ? 0 : (this.#high - 1) >>> 5;
    return `${this.#low}:${this.#words.subarray(first, last + 1).join(',')}`;
  }
}
