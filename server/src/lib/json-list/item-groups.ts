/** Items longer than this, in bytes, are not parsed. */
const maxItemBytes = 65_536;
const groupBytes = 65_536;
const itemsPerGroup = 250;
const numbersPerGroup = 4;

export interface ItemGroup {
  /** Byte offsets of the items with the commas between them; null: the items are longer than `maxItemBytes`. */
  readonly span: { readonly start: number; readonly end: number } | null;
  /** The place of the first item in the array. */
  readonly first: number;
  readonly count: number;
}

/** The positions of an array's items, in groups; a few numbers each. */
export class ItemGroups {
  readonly #numbers: number[] = [];
  #count = 0;
  #itemStart = 0;
  #groupStart = -1;
  #groupEnd = 0;
  #groupCount = 0;

  get count(): number {
    return this.#count;
  }

  begin(offset: number): void {
    this.#itemStart = offset;
  }

  /** The item that began last ends before the offset. */
  end(offset: number): void {
    const isLong = offset - this.#itemStart > maxItemBytes;
    const isFull = this.#groupCount === itemsPerGroup || offset - this.#groupStart > groupBytes;
    if (this.#groupCount > 0 && (isLong || isFull)) this.finish();
    if (isLong) this.#numbers.push(-1, -1, this.#count, 1);
    else {
      if (this.#groupCount === 0) this.#groupStart = this.#itemStart;
      this.#groupEnd = offset;
      this.#groupCount += 1;
    }
    this.#count += 1;
  }

  finish(): void {
    if (this.#groupCount === 0) return;
    this.#numbers.push(this.#groupStart, this.#groupEnd, this.#count - this.#groupCount, this.#groupCount);
    this.#groupCount = 0;
  }

  *[Symbol.iterator](): Generator<ItemGroup> {
    for (let at = 0; at < this.#numbers.length; at += numbersPerGroup) {
      const [start = 0, end = 0, first = 0, count = 0] = this.#numbers.slice(at, at + numbersPerGroup);
      yield { span: start === -1 ? null : { start, end }, first, count };
    }
  }
}
