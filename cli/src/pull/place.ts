import { access } from 'node:fs/promises';
import { UsageError } from '../errors.ts';
import type { FileFormat } from './day-files.ts';
import { DirectoryTarget, findText, statePathOf } from './directory.ts';
import {
  type OpenOptions,
  type WarehouseFormat,
  type WarehouseIdentity,
  WarehouseRefused,
  type WarehouseTarget,
} from './state.ts';

/** Where a warehouse is, and how it stores its days. */
export interface Place {
  readonly path: string;
  readonly format: WarehouseFormat;
}

/** The format of a new directory. */
const defaultFormat = 'parquet';

const formats: readonly FileFormat[] = ['parquet', 'csv'];

/** Formats of earlier versions, and what to use instead. */
const removedFormats: ReadonlyMap<string, string> = new Map([
  [
    'duckdb',
    'DuckDB databases are not filled any more: use --out DIRECTORY, whose Parquet files DuckDB reads.',
  ],
  ['jsonl', 'JSON Lines are not written any more: use --format csv, or parquet, the default.'],
]);

/**
 * Finds the place of `--out` and `--format`: `postgresql://…` names a database, anything else a directory, whose state has
 * its format. @throws UsageError
 */
export async function findPlace(out: string, format: string | undefined): Promise<Place> {
  const removed = removedFormats.get(out.startsWith('duckdb:') ? 'duckdb' : (format ?? ''));
  if (removed !== undefined) throw new UsageError(removed);
  const named = formats.find((each) => each === format);
  if (out === '') throw new UsageError('--out names no directory.');
  if (format !== undefined && named === undefined)
    throw new UsageError(`--format is one of ${formats.join(', ')}, not "${format}".`);
  const scheme = /^([a-z][\w+.-]*):\/\//i.exec(out)?.[1];
  // Not the address: it may have a password.
  if (scheme !== undefined && !/^postgres(ql)?$/.test(scheme))
    throw new UsageError(`--out takes postgresql:// or a directory, not ${scheme}://.`);
  if (!/^postgres(ql)?:/.test(out))
    return { path: out, format: named ?? (await storedFormat(out)) ?? defaultFormat };
  if (named !== undefined) throw new UsageError(`--out names a database: leave out --format ${format}.`);
  return { path: out, format: 'postgresql' };
}

/** Returns the format that a directory was filled with; undefined for a new one. */
async function storedFormat(path: string): Promise<FileFormat | undefined> {
  const text = (await findText(statePathOf(path)).catch(() => null)) ?? '{}';
  return formats.find((each) => text.includes(`"format": "${each}"`));
}

/** Refuses a directory that no run has filled. @throws WarehouseRefused */
async function assertFilled(path: string): Promise<void> {
  const file = statePathOf(path);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere)
    throw new WarehouseRefused(`${path} was not filled by "brandport pull": ${file} does not exist.`);
}

/** Opens a place for this process alone. @throws WarehouseRefused, CliError */
export async function openPlace(
  { path, format }: Place,
  identity: Omit<WarehouseIdentity, 'format'>,
  options: OpenOptions = {},
): Promise<WarehouseTarget> {
  if (format === 'postgresql') {
    const { PostgresDatabase, PostgresTarget } = await import('./postgres.ts');
    const database = await PostgresDatabase.open(path, identity.brand_id);
    return PostgresTarget.open(database, { ...identity, format }, options);
  }
  if (options.isFilled === true) await assertFilled(path);
  return DirectoryTarget.open(path, { ...identity, format });
}
