import { access } from 'node:fs/promises';
import { UsageError } from '../errors/cli-error.ts';
import { findText, statePathOf } from './files/durable-files.ts';
import type { OpenOptions, WarehouseTarget } from './target.ts';
import { type WarehouseFormat, type WarehouseIdentity, WarehouseRefused } from './warehouse-state.ts';

/** Where a warehouse is, and how it stores its days. */
export interface Place {
  readonly path: string;
  readonly format: WarehouseFormat;
}

/** The format of a new directory. */
const defaultFormat = 'parquet';

const formats: readonly WarehouseFormat[] = ['parquet', 'csv', 'jsonl', 'duckdb'];

/**
 * Finds the place of `--out` and `--format`: `duckdb:FILE` and `postgresql://…` name a database, anything else a directory,
 * whose state has its format. @throws UsageError
 */
export async function findPlace(out: string, format: string | undefined): Promise<Place> {
  const database = out.startsWith('duckdb:') ? 'duckdb' : /^postgres(ql)?:/.test(out) ? 'postgresql' : null;
  const path = out.replace(/^duckdb:/, '');
  const named = formats.find((each) => each === format);
  if (path === '') throw new UsageError('--out names no file or directory.');
  if (format !== undefined && named === undefined)
    throw new UsageError(`--format is one of ${formats.join(', ')}, not "${format}".`);
  if (database !== null && named !== undefined && named !== database)
    throw new UsageError(`--out names a database: leave out --format ${format}.`);
  return { path, format: database ?? named ?? (await storedFormat(path)) ?? defaultFormat };
}

/** Returns the format that a directory was filled with; undefined for a new one. */
async function storedFormat(path: string): Promise<WarehouseFormat | undefined> {
  const text = (await findText(statePathOf(path)).catch(() => null)) ?? '{}';
  return formats.find((each) => text.includes(`"format": "${each}"`));
}

/** Refuses a file or directory that no run has filled. @throws WarehouseRefused */
async function assertFilled({ path, format }: Place): Promise<void> {
  const file = format === 'duckdb' ? path : statePathOf(path);
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
  if (options.isFilled === true && format !== 'postgresql') await assertFilled({ path, format });
  if (format === 'duckdb' || format === 'postgresql') {
    const { DatabaseTarget } = await import('./database/database-target.ts');
    const database =
      format === 'duckdb'
        ? await (await import('./database/duckdb-database.ts')).DuckdbDatabase.open(path)
        : await (await import('./database/postgres-database.ts')).PostgresDatabase.open(
            path,
            identity.brand_id,
          );
    return DatabaseTarget.open(database, { ...identity, format }, options);
  }
  const { DirectoryTarget } = await import('./files/directory-target.ts');
  return DirectoryTarget.open(path, { ...identity, format }, options);
}
