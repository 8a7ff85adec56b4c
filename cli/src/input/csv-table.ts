import { csvRecords } from '@brandport/client';
import { InputError } from '../errors.ts';

/** A row of CSV under the names of its file. */
interface TableRow {
  readonly line: number;
  readonly names: readonly string[];
  /** The cells, as many as names. */
  readonly values: readonly string[];
}

interface CsvFile {
  /** The name for messages. */
  readonly path: string;
  /** Default: `,`. */
  readonly delimiter?: string | undefined;
}

/**
 * Reads the rows of CSV while it is iterated.
 * @param onNames is called with the first line, also of a file without rows
 * @throws InputError for a file that is not well-formed
 */
export async function* csvTable(
  { path, delimiter = ',' }: CsvFile,
  stream: NodeJS.ReadableStream,
  onNames?: (line: number, names: readonly string[]) => void,
): AsyncGenerator<TableRow, void, undefined> {
  let names: readonly string[] | null = null;
  for await (const { line, values } of csvRecords(stream, delimiter)) {
    if (names === null) {
      names = firstLine(`${path}:${line}`, values);
      onNames?.(line, names);
      continue;
    }
    if (values.length !== names.length)
      throw new InputError(
        `${path}:${line}: it has ${values.length} values, and the first line has ${names.length}.`,
      );
    yield { line, names, values };
  }
  if (names === null) throw new InputError(`${path}: it is empty.`);
}

function firstLine(place: string, values: readonly string[]): string[] {
  const names = values.map((name) => name.trim());
  if (names.length === 1 && /[;\t|]/.test(names[0] ?? ''))
    throw new InputError(`${place}: it has one column, "${names[0]}". Set the delimiter.`);
  return names;
}
