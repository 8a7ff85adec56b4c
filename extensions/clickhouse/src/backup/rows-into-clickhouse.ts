import { PassThrough } from 'node:stream';
import type { FromArchive } from '../../../../server/src/backup/backed-engine.ts';
import { requireArrived, requireMeasure } from '../../../../server/src/backup/check-backup.ts';
import { DividedRows, type Division } from '../../../../server/src/backup/divided-rows.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import type { ClickHouse } from '../store/clickhouse.ts';

/** The limits of one statement. */
const statementBytes = 256 * 1024 * 1024;
/** Half of the time after which an import is given up: what a killed one has sent arrives before its rows are deleted. */
const statementMs = 20 * 60_000;

export interface NumberedRows {
  readonly brandId: number;
  readonly column: string;
  readonly number: number;
}

/**
 * Inserts the rows of a member of a checked archive, and compares their number.
 * @param numbered default: the table is empty, and the lines have all columns
 * @throws BackupError when the archive is damaged or a row is missing; the reason of `cancelled`
 */
export async function insertMember(
  clickHouse: ClickHouse,
  part: EnginePart['tables'][number],
  { reader, cancelled }: Omit<FromArchive, 'log'>,
  numbered?: NumberedRows,
): Promise<void> {
  const { name, month, columns, member } = part;
  let target: RowsTarget = { table: name, columns };
  let condition = `month = ${month}`;
  if (numbered !== undefined) {
    const { brandId, column, number } = numbered;
    target = { table: name, columns: [column, ...columns], encode: numbering(number) };
    condition += ` and brand_id = ${brandId} and ${column} = ${number}`;
  }
  requireMeasure(
    part,
    await reader.copyTo(member, rowsIntoClickHouse(clickHouse, target, cancelled), cancelled),
  );
  requireArrived(part, await clickHouse.count(name, condition));
}

interface RowsTarget extends Pick<Division, 'encode'> {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A stream that inserts tab-separated lines into a table, in statements of a bounded size and time. */
export function rowsIntoClickHouse(
  clickHouse: ClickHouse,
  { table, columns, ...encoding }: RowsTarget,
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
  return new DividedRows({ begin, limit, ...encoding });
}

/** Begins every line with the number. Tabs and newlines in values are escaped, so each newline ends a row. */
export function numbering(number: number): (chunk: Buffer) => Buffer {
  const prefix = `${number}\t`;
  let isLineOpen = false;
  return (chunk) => {
    // Latin-1 has a character for each byte.
    const text = chunk.toString('latin1');
    const endsLine = text.endsWith('\n');
    const body = (endsLine ? text.slice(0, -1) : text).replaceAll('\n', `\n${prefix}`);
    const numbered = `${isLineOpen ? '' : prefix}${body}${endsLine ? '\n' : ''}`;
    isLineOpen = !endsLine;
    return Buffer.from(numbered, 'latin1');
  };
}
