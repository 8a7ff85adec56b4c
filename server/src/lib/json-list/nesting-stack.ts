/** The open objects and arrays, one bit each, so that a body consisting only of brackets needs little memory. */
export class NestingStack {
  #bits = new Uint8Array(64);
  #depth = 0;
  readonly #maxFields: number | null;
  /** Commas of each open object or array; only if fields are limited, which limits the depth as well. */
  readonly #commas: number[] = [];

  /** `maxFields`: of one object; null: any. */
  constructor(maxFields: number | null) {
    this.#maxFields = maxFields;
  }

  get depth(): number {
    return this.#depth;
  }

  /** True if the innermost is an object. */
  get isObject(): boolean {
    const top = this.#depth - 1;
    return (((this.#bits[top >> 3] as number) >> (top & 7)) & 1) === 1;
  }

  push(isObject: boolean): void {
    const slot = this.#depth >> 3;
    if (slot === this.#bits.length) {
      const larger = new Uint8Array(2 * slot);
      larger.set(this.#bits);
      this.#bits = larger;
    }
    const bit = 1 << (this.#depth & 7);
    const others = (this.#bits[slot] as number) & ~bit;
    this.#bits[slot] = isObject ? others | bit : others;
    this.#depth += 1;
    if (this.#maxFields !== null) this.#commas[this.#depth] = 0;
  }

  pop(): void {
    this.#depth -= 1;
  }

  /** Returns false if the innermost is an object that has too many fields with this comma. */
  countComma(): boolean {
    if (this.#maxFields === null) return true;
    const commas = (this.#commas[this.#depth] ?? 0) + 1;
    this.#commas[this.#depth] = commas;
    return commas < this.#maxFields || !this.isObject;
  }
}
