import type { ReceivedBody } from '../../api/request-body.ts';
import { freeBuffer } from '../../lib/free-bytes.ts';

const smallBlockBytes = 16 * 1024;
const blockBytes = 1024 * 1024;

/** A body in blocks of up to 1 MiB, each with its own memory: copied once, and transferable to a thread. */
export class BodyBlocks {
  readonly #blocks: Uint8Array<ArrayBuffer>[] = [];
  readonly #declared: number | null;
  #length = 0;
  /** Bytes used of the last block. */
  #used = 0;

  /** `declared`: the length in bytes, if known. */
  constructor(declared: number | null) {
    this.#declared = declared;
  }

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) {
      const block = this.#blockWithRoom();
      const part = rest.subarray(0, block.length - this.#used);
      block.set(part, this.#used);
      this.#used += part.length;
      this.#length += part.length;
      rest = rest.subarray(part.length);
    }
  }

  finish(): ReceivedBody {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length)
      this.#blocks[this.#blocks.length - 1] = last.subarray(0, this.#used);
    return { blocks: this.#blocks, length: this.#length };
  }

  /** Frees the blocks immediately, except those that were transferred to a thread. The body must not be used afterwards. */
  free(): void {
    for (const { buffer } of this.#blocks.splice(0)) freeBuffer(buffer);
  }

  #blockWithRoom(): Uint8Array<ArrayBuffer> {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const left = this.#declared === null ? 0 : this.#declared - this.#length;
    // Unknown length: double it.
    const size = left > 0 ? left : Math.max(smallBlockBytes, this.#length);
    const block = new Uint8Array(Math.min(size, blockBytes));
    this.#blocks.push(block);
    this.#used = 0;
    return block;
  }
}
