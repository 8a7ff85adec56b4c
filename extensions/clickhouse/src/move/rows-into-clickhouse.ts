import { PassThrough } from 'node:stream';
import { DividedRows } from '../../../../server/src/backup/divided-rows.ts';
import type { ClickHouse } from '../store/clickhouse.ts';

/** The limits of one statement. */
const statementBytes = 256 * 1024 * 1024;
/**
 * Half of the time after which an interrupted import is given up: what a killed import has sent arrives before its rows are
 * deleted.
 */
const statementMs = 20 * 60_000;

export interface RowsTarget {
  readonly table: string;
  /** The column that is not in the lines, and its value in all rows. */
  readonly numbered: { readonly column: string; readonly number: number };
  /** The columns of the lines. */
  readonly columns: readonly string[];
}

interface Insert {
  readonly lines: PassThrough;
  readonly inserted: Promise<void>;
}

/** A stream that inserts tab-separated lines into a table, with one more column, in statements of a bounded size and time. */
export class RowsIntoClickHouse extends DividedRows<Insert> {
  readonly #clickHouse: ClickHouse;
  readonly #target: RowsTarget;
  readonly #signal: AbortSignal;
  readonly #prefix: string;
  #isLineOpen = false;

  constructor(clickHouse: ClickHouse, target: RowsTarget, signal: AbortSignal, limit = statementBytes) {
    super(limit);
    this.#clickHouse = clickHouse;
    this.#target = target;
    this.#signal = signal;
    this.#prefix = `${target.numbered.number}\t`;
  }

  protected override beginStatement(): Insert {
    const { table, numbered, columns } = this.#target;
    const lines = new PassThrough();
    const inserted = this.#clickHouse.insertStream(table, [numbered.column, ...columns], lines, {
      limitMs: statementMs,
      signal: this.#signal,
    });
    inserted.catch((error: Error) => this.destroy(error));
    // The reason is that of the statement.
    lines.on('error', () => {});
    return { lines, inserted };
  }

  protected override async sendLines({ lines, inserted }: Insert, chunk: Buffer): Promise<void> {
    const sent = new Promise<void>((resolve, reject) =>
      lines.write(this.#numbered(chunk), (error) => (error ? reject(error) : resolve())),
    );
    // A statement that has failed reads no more.
    await Promise.race([sent, inserted.then(() => sent)]);
  }

  protected override async endStatement({ lines, inserted }: Insert): Promise<void> {
    lines.end();
    await inserted;
  }

  /** Without its end, the statement fails. */
  protected override abortStatement({ lines }: Insert, error: Error | null): void {
    lines.destroy(error ?? new Error('the import has stopped'));
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
}
