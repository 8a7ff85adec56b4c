import { finished } from 'node:stream/promises';
import type pg from 'pg';
import type { Attended } from '../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../server/src/backup/backup-error.ts';
import {
  type CheckedBackup,
  requireArrived,
  requireMeasure,
} from '../../../server/src/backup/check-backup.ts';
import { quotedName } from '../../../server/src/backup/copy-connection.ts';
import { DividedRows } from '../../../server/src/backup/divided-rows.ts';
import type { SchemaPart, TablePart } from '../../../server/src/backup/manifest.ts';
import { rowsInto } from '../../../server/src/backup/restore-store.ts';
import { brokenConstraint, sqlState } from '../../../server/src/postgres/sqlstate.ts';
import type { OpenStore } from './move-connection.ts';

const uniqueViolation = '23505';

export interface AddedRows {
  tables: number;
  rows: number;
}

/**
 * Adds the rows of a schema's tables, in the client's transaction.
 * @throws BackupError when the file has other tables, or another brand has one of the ids
 */
export async function fillTables(
  { client, schema, tables }: OpenStore,
  { reader, part, sum }: Pick<CheckedBackup, 'reader'> & { part: SchemaPart; sum: AddedRows },
  { log, cancelled }: Attended,
): Promise<void> {
  const inFile = new Map(part.tables.map((table) => [quotedName(table), table]));
  if (inFile.size !== tables.length)
    throw new BackupError(
      `the file has ${inFile.size} tables of the schema ${schema}, this cell ${tables.length}`,
    );
  for (const { schema: of, name } of tables) {
    const table = inFile.get(quotedName({ schema: of, name }));
    if (table === undefined) throw new BackupError(`the file lacks ${of}.${name}`);
    const target = new RowsInStatements(client, table);
    try {
      requireMeasure(table, await reader.copyTo(table.member, target, cancelled));
    } catch (error) {
      throw sqlState(error) === uniqueViolation ? collision(error as Error, name) : error;
    }
    requireArrived(table, target.rowCount);
    log('info', `${of}.${name}: ${table.rows} rows`);
    sum.tables += 1;
    sum.rows += table.rows;
  }
}

function collision(error: Error, table: string): BackupError {
  const { detail = '' } = error as Error & { detail?: string };
  return new BackupError(
    `A row of ${table} has an id that another brand of this cell has (${brokenConstraint(error)}). ${detail} Nothing was written.`,
    { cause: error },
  );
}

/**
 * PostgreSQL remembers each row of a statement until its foreign keys are checked at the statement's end. Several statements
 * keep that bounded, regardless of the size of the table.
 */
const statementBytes = 32 * 1024 * 1024;

/** A stream that adds rows in PostgreSQL's text format to a table, in statements of a bounded size. */
export class RowsInStatements extends DividedRows {
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
