import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { csvRecords } from '@brandport/client';
import { InputError } from '../errors/cli-error.ts';
import { jsonLines } from './json-lines.ts';
import { parsedJson } from './parsed-json.ts';

/** A file of rows, or a stream such as the standard input. */
export interface InputFile {
  readonly path: string;
  /** Read instead of the file; `path` is only its name. */
  readonly stream?: NodeJS.ReadableStream | undefined;
  /** Default: JSONL for names that end in `.jsonl` or `.ndjson`, else CSV. */
  readonly format?: 'csv' | 'jsonl' | undefined;
  /** The delimiter of CSV; default: `,`. */
  readonly delimiter?: string | undefined;
  /** Called with the first line of CSV, also of a file without rows. It may throw an InputError. */
  readonly onColumns?: ((columns: readonly string[]) => void) | undefined;
}

/** The place of a row, for messages. */
export interface Place {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
}

/** A row as it is in the file. Values of CSV are strings; empty cells are left out, because they state nothing. */
export interface InputRow extends Place {
  /** The names of the first line of CSV, or those of this row in JSONL. */
  readonly columns: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Reads the rows of a file while it is iterated.
 * @throws InputError with the place, for a file that is missing or not well-formed
 */
export async function* inputRows(file: InputFile): AsyncGenerator<InputRow, void, undefined> {
  const stream = file.stream ?? createReadStream(file.path);
  const name = file.path;
  try {
    if (formatOf(file) === 'jsonl') yield* jsonRows(name, stream);
    else yield* csvRows(file, stream);
  } catch (error) {
    throw InputError.of(name, error);
  }
}

function formatOf({ path, format }: InputFile): 'csv' | 'jsonl' {
  return format ?? (['.jsonl', '.ndjson'].includes(extname(path).toLowerCase()) ? 'jsonl' : 'csv');
}

async function* csvRows(
  { path: file, delimiter = ',', onColumns }: InputFile,
  stream: NodeJS.ReadableStream,
): AsyncGenerator<InputRow> {
  let names: readonly string[] | null = null;
  for await (const { line, values } of csvRecords(stream, delimiter)) {
    if (names === null) {
      names = columnNames({ file, line }, values);
      onColumns?.(names);
      continue;
    }
    if (values.length !== names.length)
      throw new InputError(
        `${file}:${line}: it has ${values.length} values, and the first line has ${names.length}.`,
      );
    const cells = names.map((name, index): [string, string] => [name, values[index] ?? '']);
    yield {
      file,
      line,
      columns: names,
      values: Object.fromEntries(cells.filter(([, value]) => value !== '')),
    };
  }
  if (names === null) throw new InputError(`${file}: it is empty.`);
}

function columnNames({ file, line }: Place, values: readonly string[]): string[] {
  const names = values.map((name) => name.trim());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new InputError(`${file}:${line}: the column "${repeated}" occurs twice.`);
  if (names.length === 1 && /[;\t|]/.test(names[0] ?? ''))
    throw new InputError(`${file}:${line}: it has one column, "${names[0]}". Set the delimiter.`);
  return names;
}

async function* jsonRows(file: string, stream: NodeJS.ReadableStream): AsyncGenerator<InputRow> {
  let line = 0;
  for await (const text of jsonLines(stream)) {
    line += 1;
    if (text.trim() === '') continue;
    const value = parsedJson(text.replace(/^\uFEFF/, ''));
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InputError(`${file}:${line}: it is not a JSON object.`);
    yield { file, line, columns: Object.keys(value), values: value as Record<string, unknown> };
  }
}
