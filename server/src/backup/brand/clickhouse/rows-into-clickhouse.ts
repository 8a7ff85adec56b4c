import { PassThrough, Writable } from 'node:stream';
import type { ClickHouse } from '../../../analytics/store/clickhouse/clickhouse.ts';

/** The limits of one statement. */
const statementBytes = 256 * 1024 * 1024;
/**
 * Half of the time after which an interrupted import is given up: what a killed import has sent arrives before its rows are
 * deleted.
 */
const statementMs = 20 * 60_000;
const newline = 0x0a;

export interface RowsTarget {
  readonly table: string;
  /** The column that is not in the lines, and its value in all rows. */
  readonly numbered: { readonly column: string; readonly number: number };
  /** The columns of the lines. */
  readonly columns: readonly string[];
}

/** A stream that inserts tab-separated lines into a table, with one more column, in statements of a bounded size and time. */
export class RowsIntoClickHouse extends Writable {
  readonly #clickHouse: ClickHouse;
  readonly #target: RowsTarget;
  readonly #signal: AbortSignal;
  readonly #limit: number;
  readonly #prefix: string;
  #statement: { readonly lines: PassThrough; readonly inserted: Promise<void> } | null = null;
  #bytes = 0;
  #isLineOpen = false;

  constructor(clickHouse: ClickHouse, target: RowsTarget, signal: AbortSignal, limit = statementBytes) {
    super();
    this.#clickHouse = clickHouse;
    this.#target = target;
    this.#signal = signal;
    this.#limit = limit;
    this.#prefix = `${target.numbered.number}\t`;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#add(chunk).then(
      () => done(),
      (error: Error) => done(error),
    );
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#endStatement().then(
      () => done(),
      (error: Error) => done(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Without its end, the statement fails.
    this.#statement?.lines.destroy(error ?? new Error('the import has stopped'));
    done(error);
  }

  async #add(chunk: Buffer): Promise<void> {
    const end = chunk.lastIndexOf(newline);
    if (this.#bytes + chunk.length < this.#limit || end === -1) return this.#send(chunk);
    await this.#send(chunk.subarray(0, end + 1));
    await this.#endStatement();
    if (end + 1 < chunk.length) await this.#send(chunk.subarray(end + 1));
  }

  /** Every line begins with the number. Tabs and newlines in values are escaped, so each newline ends a row. */
  #numbered(chunk: Buffer): Buffer {
    // Latin-1 has a character for each byte.
    const text = chunk.toString('latin1');
    const endsLine = text.endsWith('\n');
    const body = (endsLine ? text.slice(0, -1) : text).replaceAll('\n', `\n${this.#prefix}`);
    const numbered = `${this.#isLineOpen ? '' : this.#prefix}${body}${endsLine ? '\n' : ''}`;
    this.#isLineOpen = !endsLine;
    return Buffer.from(numbered, 'latin1');
  }

  #beginStatement() {
    const { table, numbered, columns } = this.#target;
    const lines = new PassThrough();
    const inserted = this.#clickHouse.insertStream(table, [numbered.column, ...columns], lines, {
      limitMs: statementMs,
      signal: this.#signal,
    });
    // ClickHouse may refuse a row at any time, also while nothing is being written.
    inserted.catch((error: Error) => this.destroy(error));
    // The reason is that of the statement.
    lines.on('error', () => {});
    this.#statement = { lines, inserted };
    return this.#statement;
  }

  async #send(chunk: Buffer): Promise<void> {
    if (chunk.length === 0) return;
    const { lines, inserted } = this.#statement ?? this.#beginStatement();
    this.#bytes += chunk.length;
    const sent = new Promise<void>((resolve, reject) =>
      lines.write(this.#numbered(chunk), (error) => (error ? reject(error) : resolve())),
    );
    // A statement that has failed reads no more.
    await Promise.race([sent, inserted.then(() => sent)]);
  }

  async #endStatement(): Promise<void> {
    const current = this.#statement;
    if (current === null) return;
    this.#statement = null;
    this.#bytes = 0;
    current.lines.end();
    await current.inserted;
  }
}
