/**
 * Detects that a sequence has entered a circle, of any length, with the memory of one value: it compares with a value
 * that it replaces after 1, 2, 4, 8, … steps (Brent).
 */
export class RepeatDetector {
  #kept: string | null = null;
  #steps = 0;
  #limit = 1;

  /** Returns true at the latest two rounds after the sequence has entered a circle. */
  isRepeated(value: string): boolean {
    if (value === this.#kept) return true;
    this.#steps += 1;
    if (this.#steps >= this.#limit) {
      this.#kept = value;
      this.#steps = 0;
      this.#limit *= 2;
    }
    return false;
  }
}
