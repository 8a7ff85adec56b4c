import { write, writeSync } from 'node:fs';

/** A full batch is written at once, in characters; smaller ones wait for the interval. */
const batchLength = 4096;
const intervalMs = 100;
/** Characters held in memory while the log cannot be written; lines beyond that are dropped. */
const defaultMaxLength = 4 * 1024 * 1024;
/** Time limit, at process exit, for a slow log to accept its last lines. */
const flushLimitMs = 1_000;
/** A write that takes longer is stalled: nobody reads the pipe, and another write would block the process. */
const stalledMs = 250;

/**
 * Writes log lines to a file descriptor in batches, ten times a second: a write for each line was a tenth of what a request
 * cost [D35]. A log that cannot be written (a full disk, a closed or stalled pipe) never holds up the server or its
 * end: lines are kept up to a limit and written once that works again. `pino.destination` cannot be used: its
 * `flushSync` repeats a write for ever on a full disk. A `kill -9` loses the last tenth of a second.
 */
export class LogDestination {
  readonly #fd: number;
  readonly #maxLength: number;
  #lines: string[] = [];
  /** Characters in `#lines`. */
  #length = 0;
  /** The rest of the batch that is being written, or that could not be. */
  #batch: Uint8Array = Buffer.alloc(0);
  /** When the write under way began, of the monotonic clock; null when there is none. */
  #writingSince: number | null = null;

  constructor(fd: number, maxLength: number = defaultMaxLength) {
    this.#fd = fd;
    this.#maxLength = maxLength;
    setInterval(() => this.#writeNext(), intervalMs).unref();
  }

  /** Takes a line with its line feed. Never throws, never blocks. */
  write(line: string): void {
    if (this.#length + line.length > this.#maxLength) return;
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= batchLength) this.#writeNext();
  }

  /**
   * Writes what waits before it returns, within a second. Gives up at the first failure, and when the log is stalled: what
   * is left stays in memory. Does not wait for a batch that is being written.
   */
  flushSync(): void {
    const start = performance.now();
    if (this.#writingSince !== null && start - this.#writingSince > stalledMs) return;
    let rest: Uint8Array = this.#writingSince === null ? this.#batch : Buffer.alloc(0);
    if (this.#writingSince === null) this.#batch = Buffer.alloc(0);
    rest = Buffer.concat([rest, this.#takeLines()]);
    while (rest.length > 0 && performance.now() - start < flushLimitMs) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') break;
      }
    }
    if (rest.length === 0) return;
    const text = Buffer.from(rest).toString();
    this.#lines.unshift(text);
    this.#length += text.length;
  }

  #writeNext(): void {
    if (this.#writingSince !== null) return;
    if (this.#batch.length === 0) this.#batch = this.#takeLines();
    if (this.#batch.length === 0) return;
    this.#writingSince = performance.now();
    write(this.#fd, this.#batch, (error, written) => {
      this.#writingSince = null;
      // The interval tries again what failed.
      if (error !== null) return;
      this.#batch = this.#batch.subarray(written);
      if (this.#batch.length > 0 || this.#length >= batchLength) this.#writeNext();
    });
  }

  #takeLines(): Uint8Array {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#length = 0;
    return Buffer.from(text);
  }
}
