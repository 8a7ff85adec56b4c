import { write, writeSync } from 'node:fs';
import pino from 'pino';
import type { LogLevel } from '../config.ts';
import { currentJobIds, type Log, outsideOfJobs } from '../lib/log.ts';
import { loggableError } from '../postgres/database-errors.ts';

/** Batch length, in characters, at which a batch is written at once; smaller ones wait for the interval. */
const batchLength = 32 * 1024;
const intervalMs = 100;
/** Characters held in memory while the log cannot be written; lines beyond that are dropped. */
const defaultMaxLength = 4 * 1024 * 1024;
/** Time limit, at process exit, for a slow log to accept its last lines. */
const flushLimitMs = 1_000;
/** A slower write is stalled: the pipe is not being read, and another write would block the process. */
const stalledMs = 250;

/**
 * Writes log lines to a file descriptor in batches, ten times a second: one write per line was a tenth of the cost of a request
 * [D246]. A log that cannot be written never blocks the server or its exit: lines are kept up to a limit and written later.
 * `pino.destination` is not usable: its `flushSync` retries forever on a full disk. A `kill -9` loses the last tenth of a second.
 */
export class LogDestination {
  readonly #fd: number;
  readonly #maxLength: number;
  #lines: string[] = [];
  #length = 0;
  /** The rest of the batch that is being written, or that could not be. */
  #batch: Uint8Array = Buffer.alloc(0);
  /** Start of the current write, by the monotonic clock; null if there is none. */
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
   * Writes the waiting lines synchronously, within a second. Stops at the first failure, and if the log is stalled: the rest
   * stays in memory. Does not wait for a batch that is being written.
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
      // The interval retries a failed write.
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

/** Creates the log: one JSON line per event, on descriptor 2, because standard output is for the ready line. */
export function createLogger(level: LogLevel, destination: pino.DestinationStream): pino.Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: loggableError },
      mixin: () => ({ ...currentJobIds() }),
    },
    destination,
  );
}

/** The log for code that writes plain lines, about the process and never about a job. */
export function plainLog(logger: Pick<pino.BaseLogger, 'info' | 'warn' | 'error'>): Log {
  return (level, message) => outsideOfJobs(() => logger[level](message));
}

/**
 * Returns a destination that writes each line in a form for people: time, level and message, then the rest, in colour on a
 * terminal. Loads `pino-pretty`, so only for `LOG_FORMAT=pretty`.
 */
export async function prettyLog(
  destination: pino.DestinationStream,
  isTerminal: boolean,
): Promise<pino.DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    colorize: isTerminal,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return { write: (line) => destination.write(format(line)) };
}
