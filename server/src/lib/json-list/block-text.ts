import { freeBytes } from '../free-bytes.ts';

/** Text in consecutive blocks, read from front to back by byte offset; releases blocks that it has passed. */
export class BlockText {
  readonly #blocks: Uint8Array[];
  #index = 0;
  /** Offset of the block at `#index`. */
  #offset = 0;

  readonly #frees: boolean;

  /** Empties `blocks` from the front. `frees`: the memory of passed blocks is freed at once, which empties every copy too. */
  constructor(blocks: Uint8Array[], { frees = false } = {}) {
    this.#blocks = blocks;
    this.#frees = frees;
  }

  /** Returns the UTF-8 text from `start` to before `end`; `start` must not be before that of the last call. */
  slice(start: number, end: number): string {
    let block = this.#blocks[this.#index] as Uint8Array;
    while (start >= this.#offset + block.length) {
      this.#offset += block.length;
      if (this.#frees) freeBytes(block);
      this.#blocks[this.#index] = passed;
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

const passed = new Uint8Array(0);

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, length).toString();
}
