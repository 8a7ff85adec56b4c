/** Text that lies in blocks one after the other, by byte offset. Cheapest when it is read from front to back. */
export class BlockText {
  readonly #blocks: readonly Uint8Array[];
  #index = 0;
  /** Offset of the block at `#index`. */
  #offset = 0;

  constructor(blocks: readonly Uint8Array[]) {
    this.#blocks = blocks;
  }

  /** The UTF-8 text from `start` to before `end`. */
  slice(start: number, end: number): string {
    if (start < this.#offset) {
      this.#index = 0;
      this.#offset = 0;
    }
    let block = this.#blocks[this.#index] as Uint8Array;
    while (start >= this.#offset + block.length) {
      this.#offset += block.length;
      this.#index += 1;
      block = this.#blocks[this.#index] as Uint8Array;
    }
    const from = start - this.#offset;
    if (end - this.#offset <= block.length) return textOf(block.subarray(from, end - this.#offset));
    const parts = [block.subarray(from)];
    let missing = end - this.#offset - block.length;
    for (let index = this.#index + 1; missing > 0; index += 1) {
      const part = (this.#blocks[index] as Uint8Array).subarray(0, missing);
      parts.push(part);
      missing -= part.length;
    }
    return textOf(Buffer.concat(parts));
  }
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, length).toString();
}
