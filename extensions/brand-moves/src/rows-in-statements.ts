import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { DividedRows } from '../../../server/src/backup/divided-rows.ts';
import type { TablePart } from '../../../server/src/backup/manifest.ts';
import { rowsInto } from '../../../server/src/backup/restore-store.ts';

type Copy = ReturnType<typeof rowsInto>;

/**
 * PostgreSQL remembers each row of a statement until its foreign keys are checked at the statement's end. Several statements
 * keep that bounded, regardless of the size of the table.
 */
const statementBytes = 32 * 1024 * 1024;

/** A stream that adds rows in PostgreSQL's text format to a table, in statements of a bounded size. */
export class RowsInStatements extends DividedRows<Copy> {
  readonly #client: pg.Client;
  readonly #table: TablePart;
  /** The rows that have arrived, once the stream has finished. */
  rowCount = 0;

  constructor(client: pg.Client, table: TablePart, limit = statementBytes) {
    super(limit);
    this.#client = client;
    this.#table = table;
  }

  protected override beginStatement(): Copy {
    const copy = rowsInto(this.#client, this.#table);
    copy.once('error', (error) => this.destroy(error));
    return copy;
  }

  protected override sendLines(copy: Copy, chunk: Buffer): Promise<void> {
    return new Promise((resolve, reject) =>
      copy.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  }

  protected override async endStatement(copy: Copy): Promise<void> {
    const ended = finished(copy);
    copy.end();
    await ended;
    this.rowCount += copy.rowCount;
  }
}
