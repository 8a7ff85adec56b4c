import { type FeedLine, isBrandportError } from '@brandport/client';
import { InputError } from '../errors/cli-error.ts';
import { columnsOf } from '../input/column-names.ts';
import { type InputFile, inputRows } from '../input/input-rows.ts';
import { Problems } from '../input/problems.ts';
import { RowReader } from '../input/row-reader.ts';
import { readLevel } from '../sync/wanted/read-rows.ts';

/** The columns of a stock feed. */
export const feedColumns = ['sku', 'location_code', 'quantity', 'reserved', 'updated_at'] as const;

/** Adds to a file the check that its first line names the columns of a feed. */
export function withFeedColumns(file: FeedFile): FeedFile {
  return { ...file, onColumns: (names) => assertFeedColumns(names, file) };
}

/** @throws InputError */
function assertFeedColumns(names: readonly string[], file: FeedFile): void {
  const known = columnsOf(names, file);
  const missing = ['sku', 'quantity', ...(file.location === undefined ? ['location_code'] : [])].filter(
    (name) => !known.includes(name),
  );
  const what = missing.length === 1 ? `column ${missing[0]} is` : `columns ${missing.join(', ')} are`;
  if (missing.length > 0)
    throw new InputError(
      `${file.path}: the ${what} missing. The first line names the columns; it has ${names.join(', ')}.`,
    );
}

export interface FeedFile extends InputFile {
  /** The location of rows that name none. */
  readonly location?: string | undefined;
}

/** Reads the lines of a feed; other columns are ignored. @throws InputError for the first row that cannot be sent */
export async function* feedLines(file: FeedFile): AsyncGenerator<FeedLine, void, undefined> {
  for await (const row of inputRows(withFeedColumns(file))) {
    const problems = new Problems(1);
    const level = readLevel(new RowReader(row, problems), file.location);
    const [problem] = problems.kept;
    if (problem !== undefined) throw new InputError(`${row.file}:${row.line}: ${problem.message}.`);
    const { sku, location, quantity, reserved, updatedAt } = level;
    yield {
      sku,
      location_code: location,
      quantity,
      ...(reserved !== undefined && { reserved }),
      ...(updatedAt !== undefined && { updated_at: updatedAt }),
    };
  }
}

/** Returns the error for a feed that the service refused, with the lines of the file; any other error as it is. */
export async function namingLines(error: unknown, file: FeedFile): Promise<unknown> {
  if (!isBrandportError(error, 'validation_failed') || file.stream !== undefined) return error;
  const byPlace = new Map<number, string>();
  for (const [field, [message = '']] of Object.entries(error.errors)) {
    const [, place, column = ''] = /^lines\.(\d+)\.?(.*)$/.exec(field) ?? [];
    if (place !== undefined) byPlace.set(Number(place), `${column} ${message}`.trim());
  }
  const texts: string[] = [];
  let place = 0;
  for await (const { file: name, line } of inputRows(file)) {
    const message = byPlace.get(place);
    if (message !== undefined) texts.push(`${name}:${line}: ${message}`);
    place += 1;
  }
  return texts.length === 0 ? error : new InputError(`The service refused the feed.\n${texts.join('\n')}`);
}
