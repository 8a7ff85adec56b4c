import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The place of a record: its byte offset and length in one number, so that an index of a million records stays small. */
export type SpoolRef = number;

const lengthLimit = 2 ** 21;
const bufferBytes = 1 << 20;

/**
 * Keeps JSON values in a temporary file, so that memory holds only their references. The file has no name once it is
 * open: it disappears with the process, also after kill -9.
 */
export class Spool<T> {
  readonly #file: number;
  readonly #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'brandport-'));
    this.#file = openSync(join(folder, 'spool'), 'wx+', 0o600);
    rmSync(folder, { recursive: true, force: true });
  }

  /** @throws RangeError for a record of more than 2 MiB */
  add(record: T): SpoolRef {
    const bytes = Buffer.from(JSON.stringify(record));
    if (bytes.length >= lengthLimit) throw new RangeError('A row has more than 2 MiB.');
    const ref = (this.#written + this.#pendingBytes) * lengthLimit + bytes.length;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= bufferBytes) this.#flush();
    return ref;
  }

  get(ref: SpoolRef): T {
    this.#flush();
    const length = ref % lengthLimit;
    const bytes = Buffer.allocUnsafe(length);
    const position = Math.floor(ref / lengthLimit);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#file, bytes, done, length - done, position + done);
      if (count === 0) throw new Error('The temporary file is shorter than it was.');
      done += count;
    }
    return JSON.parse(bytes.toString()) as T;
  }

  close(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return;
    writeFileSync(this.#file, Buffer.concat(this.#pending));
    this.#written += this.#pendingBytes;
    this.#pending.length = 0;
    this.#pendingBytes = 0;
  }
}
