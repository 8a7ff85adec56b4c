import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, InputError, UsageError } from '../errors.ts';
import { nearestName } from '../generated/nearest-name.ts';
import { csvTable } from '../input/csv-table.ts';
import { type InputFile, inputRows, isJsonLines } from '../input/input-rows.ts';
import { columnNames, columnsOf, isColumn, rowKind } from '../input/row-kinds.ts';
import { parsedJson } from '../json-files.ts';
import { inputFiles, parseDelimiter } from './input-files.ts';
import {
  checkShopOptions,
  parseColumn,
  parseDecimal,
  parseLanguage,
  type SyncInputOptions,
  shops,
} from './sync-input.ts';

/** Reads the value of a key. @throws InvalidArgumentError */
type Reader = (value: unknown) => unknown;

const text =
  (parse: (value: string) => unknown = (value) => value): Reader =>
  (value) => {
    if (typeof value !== 'string' || value === '') throw new InvalidArgumentError('It is not a string.');
    return parse(value);
  };

const pairs =
  (parse: (pair: string, others?: Record<string, string>) => Record<string, string>): Reader =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InvalidArgumentError('It is not an object of names.');
    return Object.entries(value).reduce((all, [name, one]) => parse(`${name}=${one}`, all), {});
  };

const names: Reader = (value) => {
  if (!Array.isArray(value) || value.some((name) => typeof name !== 'string'))
    throw new InvalidArgumentError('It is not a list of columns.');
  return value;
};

function shop(name: string): string {
  if (!shops.some((known) => known === name))
    throw new InvalidArgumentError(`It is none of ${shops.join(', ')}.`);
  return name;
}

/** The keys of a map: the options that say how files are read. */
const readers: Readonly<Record<keyof SyncInputOptions, Reader>> = {
  from: text(shop),
  currency: text(),
  title: text(),
  language: pairs(parseLanguage),
  delimiter: text(parseDelimiter),
  decimal: text(parseDecimal),
  column: pairs(parseColumn),
  location: text(),
  ignore: names,
};

/** Adds the options of `--map` to the given ones, which take precedence name by name. @throws UsageError */
export function withMap<Options extends SyncInputOptions & { readonly map?: string }>(
  given: Options,
): Options {
  const kept = given.map === undefined ? {} : readMap(given.map);
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  const options: Options = { ...given, ...kept, ...Object.fromEntries(own) };
  const merged = {
    ...(options.column && { column: { ...kept.column, ...given.column } }),
    ...(options.language && { language: { ...kept.language, ...given.language } }),
  };
  checkShopOptions({ ...options, ...merged });
  return { ...options, ...merged };
}

function readMap(path: string): SyncInputOptions {
  let content = '';
  try {
    content = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(InputError.of(path, error).message);
  }
  const map = parsedJson(content);
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    throw new UsageError(`${path} is not a JSON object of options, such as {"column": {"sku": "Handle"}}.`);
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, readValue(path, key, value)]));
}

function readValue(path: string, key: string, value: unknown): unknown {
  const keys = Object.keys(readers);
  if (!Object.hasOwn(readers, key)) {
    const nearest = nearestName(key, keys);
    const hint = nearest?.isClose === true ? `; did you mean "${nearest.name}"?` : `: ${keys.join(', ')}`;
    throw new UsageError(`${path}: "${key}" is not an option of a map${hint}`);
  }
  try {
    return readers[key as keyof SyncInputOptions](value);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`${path}: "${key}": ${error.message}`);
  }
}

interface FileColumn {
  readonly file: string;
  readonly name: string;
  /** null: it is left alone. */
  readonly column: string | null;
}

/**
 * Lists what `sync` reads the columns of files as, and writes the options as a map, with unknown columns to leave alone.
 * @throws InputError, UsageError, CliError if the map cannot be written
 */
export async function listFileColumns(
  context: CliContext,
  paths: readonly string[],
  given: SyncInputOptions & { readonly map?: string; readonly save?: string },
): Promise<undefined> {
  const options = withMap(given);
  const columns: FileColumn[] = [];
  for (const file of inputFiles(context, paths, options.delimiter))
    columns.push(...(await fileColumns(file, options)));
  await context.output.list(columns, {
    id: ({ name }) => name,
    columns: { file: 'file', column: 'name', 'read as': 'column' },
  });
  if (given.save !== undefined) saveMap(context, given.save, options, columns);
}

async function fileColumns(file: InputFile, options: SyncInputOptions): Promise<FileColumn[]> {
  const { from, column: columns, ignore } = options;
  if (from !== undefined) {
    const { layouts } = await import('../sync/shops/shop-rows.ts');
    const { reads, delimiter } = layouts[from];
    const found = await firstLine(file, delimiter);
    return found.map((name) => ({
      file: file.path,
      name,
      column: reads.test(name.toLowerCase()) ? name : null,
    }));
  }
  const found = await firstLine(file, undefined);
  const meant = columnsOf(found, { columns, ignore: new Set(ignore) });
  const kind = rowKind(meant.filter((column) => column !== null));
  const known = kind === null ? [] : columnNames(kind);
  return found.map((name, place) => {
    const column = meant[place] ?? null;
    return { file: file.path, name, column: column !== null && isColumn(column, known) ? column : null };
  });
}

/** Returns the names of a file's columns; JSON lines have them in their first line. @throws InputError */
async function firstLine(file: InputFile, usualDelimiter: string | undefined): Promise<readonly string[]> {
  if (isJsonLines(file)) {
    for await (const { namesInFile } of inputRows(file)) return Object.values(namesInFile);
    return [];
  }
  let found: readonly string[] = [];
  try {
    const onNames = (_line: number, line: readonly string[]) => {
      found = line;
    };
    const rows = csvTable({ ...file, usualDelimiter }, file.stream ?? createReadStream(file.path), onNames);
    for await (const _ of rows) break;
  } catch (error) {
    throw InputError.of(file.path, error);
  }
  return found.filter((name) => name !== '');
}

function saveMap(
  { tell }: CliContext,
  path: string,
  options: SyncInputOptions,
  columns: readonly FileColumn[],
): void {
  const left = columns.filter(({ column }) => column === null).map(({ name }) => name);
  const ignore = options.from === undefined ? [...new Set([...(options.ignore ?? []), ...left])] : [];
  const kept = Object.keys(readers).map((key) => [key, options[key as keyof SyncInputOptions]]);
  const map = { ...Object.fromEntries(kept), ignore: ignore.length === 0 ? undefined : ignore };
  try {
    writeFileSync(path, `${JSON.stringify(map, null, 2)}\n`);
  } catch (error) {
    throw new CliError(`${path} cannot be written: ${(error as Error).message}.`);
  }
  tell(`${path}: brandport sync --map ${path} reads such files.`);
}
