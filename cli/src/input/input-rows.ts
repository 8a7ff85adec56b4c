import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { cellValue } from '@brandport/client';
import { InputError } from '../errors.ts';
import { parsedJson } from '../json-files.ts';
import { csvTable } from './csv-table.ts';
import { type ColumnOptions, columnsOf, typeOfColumn } from './row-kinds.ts';

/** A file of rows, or a stream such as the standard input. */
export interface InputFile extends ColumnOptions {
  readonly path: string;
  /** Read instead of the file; `path` is only its name. */
  readonly stream?: NodeJS.ReadableStream | undefined;
  /** Default: JSONL for names that end in `.jsonl` or `.ndjson`, else CSV. */
  readonly format?: 'csv' | 'jsonl' | undefined;
  /** The delimiter of CSV; default: the one of a first line such as `sep=;`, else `,`. */
  readonly delimiter?: string | undefined;
  /** The character before the decimal places in CSV; default: `.`. */
  readonly decimal?: '.' | ',' | undefined;
  /** Called with the first line of CSV, also of a file without rows. It may throw an InputError. */
  readonly onColumns?: ((columns: readonly string[]) => void) | undefined;
  /** Called for each text of CSV whose white space is left out. */
  readonly onTrimmed?: ((column: string, place: Place) => void) | undefined;
}

/** The place of a row, for messages. */
export interface Place {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
}

/**
 * A row under our names of its columns. Numbers and truth values are such, in CSV as well, where an empty cell is left out,
 * because it states nothing, and `<null>` is null.
 */
export interface InputRow extends Place {
  /** The columns of the first line of CSV, or in JSONL of this row. */
  readonly columns: readonly string[];
  /** The names of the columns in the file. */
  readonly namesInFile: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  /** The character before decimal places; default: `.`. */
  readonly decimal?: InputFile['decimal'];
}

/**
 * Reads the rows of a file while it is iterated.
 * @throws InputError with the place, for a file that is missing or not well-formed
 */
export async function* inputRows(file: InputFile): AsyncGenerator<InputRow, void, undefined> {
  const stream = file.stream ?? createReadStream(file.path);
  const name = file.path;
  try {
    if (isJsonLines(file)) yield* jsonRows(file, stream);
    else yield* csvRows(file, stream);
  } catch (error) {
    throw InputError.of(name, error);
  }
}

export function isJsonLines({ path, format }: InputFile): boolean {
  return format === 'jsonl' || (format !== 'csv' && /\.(jsonl|ndjson)$/i.test(path));
}

async function* csvRows(file: InputFile, stream: NodeJS.ReadableStream): AsyncGenerator<InputRow> {
  const { path, decimal } = file;
  let head: Head = { names: [], columns: [], namesInFile: {} };
  const onNames = (line: number, names: readonly string[]) => {
    head = headOf({ file: path, line }, names, file);
    file.onColumns?.(names);
  };
  for await (const { line, values } of csvTable(file, stream, onNames)) {
    const cell = (text: string, column: string) => {
      if (text.trim() === clearing) return null;
      const value = cellValue(text, typeOfColumn(column), decimal);
      if (typeof value === 'string' && value.length < text.length)
        file.onTrimmed?.(column, { file: path, line });
      return value;
    };
    const row = rowOf({ file: path, line }, head, (index, column) => cell(values[index] ?? '', column));
    yield { ...row, decimal };
  }
}

/** The cell of CSV that clears a value. */
const clearing = '<null>';

async function* jsonRows(file: InputFile, stream: NodeJS.ReadableStream): AsyncGenerator<InputRow> {
  let line = 0;
  for await (const text of jsonLines(stream)) {
    line += 1;
    if (text.trim() === '') continue;
    const value = parsedJson(text.replace(/^\uFEFF/, ''));
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InputError(`${file.path}:${line}: it is not a JSON object.`);
    const place = { file: file.path, line };
    const given = Object.values(value);
    yield rowOf(place, headOf(place, Object.keys(value), file), (index, column) => {
      const one: unknown = given[index];
      return typeof one === 'string' && typeOfColumn(column) !== 'text'
        ? (cellValue(one, typeOfColumn(column)) ?? one)
        : one;
    });
  }
}

/** The names of a file, and the columns that they mean; null for those that are left alone. */
interface Head {
  readonly names: readonly string[];
  readonly columns: readonly (string | null)[];
  readonly namesInFile: Readonly<Record<string, string>>;
}

function headOf({ file, line }: Place, names: readonly string[], options: InputFile): Head {
  // A column without a name is one that a spreadsheet has left behind.
  const columns = columnsOf(names, options).map((column) => (column === '' ? null : column));
  const repeated = columns.find((column, index) => column !== null && columns.indexOf(column) !== index);
  if (repeated !== undefined) throw new InputError(`${file}:${line}: the column "${repeated}" occurs twice.`);
  const pairs = columns.flatMap((column, index) => (column === null ? [] : [[column, names[index] ?? '']]));
  return { names, columns, namesInFile: Object.fromEntries(pairs) };
}

function rowOf(
  place: Place,
  { columns, namesInFile }: Head,
  valueAt: (index: number, column: string) => unknown,
): InputRow {
  const cells = columns.flatMap((column, index): [string, unknown][] => {
    const value = column === null ? undefined : valueAt(index, column);
    return column === null || value === undefined ? [] : [[column, value]];
  });
  return {
    ...place,
    columns: columns.filter((column) => column !== null),
    namesInFile,
    values: Object.fromEntries(cells),
  };
}

/**
 * Yields the lines of a stream of JSON lines. They end at a line feed alone: `node:readline` also splits at U+2028 and U+2029,
 * which JSON strings may contain.
 */
export async function* jsonLines(
  stream: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string, undefined, undefined> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk)))).split(
      '\n',
    );
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
  return undefined;
}
