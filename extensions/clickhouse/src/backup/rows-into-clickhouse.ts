import { PassThrough } from 'node:stream';
import type { FromArchive } from '../../../../server/src/backup/backed-engine.ts';
import { requireArrived, requireMeasure } from '../../../../server/src/backup/check-backup.ts';
import { DividedRows } from '../../../../server/src/backup/divided-rows.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import type { ClickHouse } from '../store/clickhouse.ts';

/** The limits of one statement. */
const statementBytes = 256 * 1024 * 1024;
const statementMs = 20 * 60_000;

/**
 * Inserts the rows of a member of a checked archive, and compares their number.
 * @throws BackupError when the archive is damaged or a row is missing; the reason of `cancelled`
 */
export async function insertMember(
  clickHouse: ClickHouse,
  part: EnginePart['tables'][number],
  { reader, cancelled }: Omit<FromArchive, 'log'>,
): Promise<void> {
  const { name, month, columns, member } = part;
  const rows = rowsIntoClickHouse(clickHouse, { table: name, columns }, cancelled);
  requireMeasure(part, await reader.copyTo(member, rows, cancelled));
  requireArrived(part, await clickHouse.count(name, `month = ${month}`));
}

interface RowsTarget {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A stream that inserts tab-separated lines into a table, in statements of a bounded size and time. */
export function rowsIntoClickHouse(
  clickHouse: ClickHouse,
  { table, columns }: RowsTarget,
  signal: AbortSignal,
  limit = statementBytes,
): DividedRows {
  const begin = () => {
    const lines = new PassThrough();
    const done = clickHouse.insertStream(table, columns, lines, { limitMs: statementMs, signal });
    // The reason is that of the statement.
    lines.on('error', () => {});
    // Without its end, the statement fails.
    const abort = (error: Error | null) => void lines.destroy(error ?? new Error('the import has stopped'));
    return { lines, done, abort };
  };
  return new DividedRows({ begin, limit });
}
