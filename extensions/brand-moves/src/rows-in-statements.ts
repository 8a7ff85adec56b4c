import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { DividedRows } from '../../../server/src/backup/divided-rows.ts';
import type { TablePart } from '../../../server/src/backup/manifest.ts';
import { rowsInto } from '../../../server/src/backup/restore-store.ts';

/**
 * PostgreSQL remembers each row of a statement until its foreign keys are checked at the statement's end. Several statements
 * keep that bounded, regardless of the size of the table.
 */
const statementBytes = 32 * 1024 * 1024;

/** A stream that adds rows in PostgreSQL's text format to a table, in statements of a bounded size. */
export class RowsInStatements extends DividedRows {
  /** The rows that have arrived, once the stream has finished. */
  rowCount = 0;

  constructor(client: pg.Client, table: TablePart, limit = statementBytes) {
    const begin = () => {
      const lines = rowsInto(client, table);
      const done = finished(lines).then(() => {
        this.rowCount += lines.rowCount;
      });
      return { lines, done };
    };
    super({ begin, limit });
  }
}
