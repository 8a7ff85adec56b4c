import { csvRecords } from '@brandport/client';
import { InputError } from '../errors.ts';
import { visibleText } from '../output/visible-text.ts';
import { openCsv } from './csv-text.ts';

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
  /** Default: the one of a first line such as `sep=;`, else the usual one. */
  readonly delimiter?: string | undefined;
  /** Default: `,`. */
  readonly usualDelimiter?: string | undefined;
}

/**
 * Reads the rows of CSV while it is iterated. What spreadsheets leave behind is left out: rows without a value, and cells
 * without a value beyond the names.
 * @param onNames is called with the first line, also of a file without rows
 * @throws InputError for a file that is not well-formed
 */
export async function* csvTable(
  { path, delimiter: given, usualDelimiter = ',' }: CsvFile,
  stream: NodeJS.ReadableStream,
  onNames?: (line: number, names: readonly string[]) => void,
): AsyncGenerator<TableRow, void, undefined> {
  const { separator, text } = await openCsv(path, stream);
  const delimiter = given ?? separator ?? usualDelimiter;
  let names: readonly string[] | null = null;
  let isSeparator = separator !== null;
  for await (const { line, values } of csvRecords(text, delimiter)) {
    if (isSeparator || values.every(isBlank)) {
      isSeparator = false;
      continue;
    }
    if (names === null) {
      names = firstLine(`${path}:${line}`, values, delimiter);
      onNames?.(line, names);
      continue;
    }
    const isWhole = values.length >= names.length && values.slice(names.length).every(isBlank);
    if (!isWhole)
      throw new InputError(
        `${path}:${line}: it has ${values.length} values, and the first line has ${names.length}.`,
      );
    yield { line, names, values };
  }
  if (names === null) throw new InputError(`${path}: it is empty.`);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function firstLine(place: string, values: readonly string[], delimiter: string): string[] {
  const names = values.map((name) => name.trim());
  const [name = ''] = names;
  const seen = [...name].find((character) => character !== delimiter && ',;\t|'.includes(character));
  if (names.length === 1 && seen !== undefined) {
    const option = seen === '\t' ? 'tab' : `'${seen}'`;
    throw new InputError(`${place}: it has one column, "${visibleText(name)}". Add --delimiter ${option}.`);
  }
  return names;
}
