import { freeBuffer } from '../../lib/free-bytes.ts';

const firstBytes = 16 * 1024;

/** Collects a body in one buffer. */
export class BodyBuffer {
  readonly #limit: number;
  #buffer: ArrayBuffer;
  #length = 0;

  /** `declared`: the exact length in bytes, or null: the buffer then grows up to `limit`. */
  constructor(declared: number | null, limit: number) {
    this.#limit = limit;
    this.#buffer = new ArrayBuffer(declared ?? Math.min(firstBytes, limit));
  }

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    const room = this.#buffer.byteLength;
    if (needed > room)
      this.#buffer = this.#buffer.transfer(Math.max(needed, Math.min(2 * room, this.#limit)));
    new Uint8Array(this.#buffer).set(chunk, this.#length);
    this.#length = needed;
  }

  /** Returns the body, which uses the whole of its buffer. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#length < this.#buffer.byteLength) this.#buffer = this.#buffer.transfer(this.#length);
    return new Uint8Array(this.#buffer);
  }

  /** Frees the memory immediately, unless it was transferred to a thread. The body must not be used afterwards. */
  free(): void {
    freeBuffer(this.#buffer);
  }
}
