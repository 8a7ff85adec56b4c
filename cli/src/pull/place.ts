import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors/cli-error.ts';
import type { WarehouseTarget } from './target.ts';
import { type WarehouseFormat, type WarehouseIdentity, WarehouseRefused } from './warehouse-state.ts';

/** Where a warehouse is, and how it stores its days. */
export interface Place {
  readonly path: string;
  readonly format: WarehouseFormat;
}

const formats: readonly WarehouseFormat[] = ['parquet', 'csv', 'jsonl', 'duckdb'];

/** Parses `--out` and `--format`. `duckdb:FILE` names a database, anything else a directory. @throws UsageError */
export function parsePlace(out: string, format: string | undefined): Place {
  const isDatabase = out.startsWith('duckdb:');
  const path = isDatabase ? out.slice('duckdb:'.length) : out;
  const named = formats.find((each) => each === format);
  if (path === '') throw new UsageError('--out names no file or directory.');
  if (format !== undefined && named === undefined)
    throw new UsageError(`--format is one of ${formats.join(', ')}, not "${format}".`);
  if (isDatabase && named !== undefined && named !== 'duckdb')
    throw new UsageError(`--out ${out} is a database: leave out --format ${format}.`);
  return { path, format: isDatabase ? 'duckdb' : (named ?? 'parquet') };
}

/** Refuses a place that no run has filled. @throws WarehouseRefused */
export async function assertFilled({ path, format }: Place): Promise<void> {
  const file = format === 'duckdb' ? path : join(path, '_brandport', 'state.json');
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere)
    throw new WarehouseRefused(`${path} was not filled by "brandport pull": ${file} does not exist.`);
}

/** Opens a place for this process alone. @throws WarehouseRefused, PackageMissing */
export async function openPlace(
  { path, format }: Place,
  identity: Omit<WarehouseIdentity, 'format'>,
): Promise<WarehouseTarget> {
  if (format === 'duckdb') {
    const { DuckdbTarget } = await import('./duckdb/duckdb-target.ts');
    return DuckdbTarget.open(path, { ...identity, format });
  }
  const { DirectoryTarget } = await import('./files/directory-target.ts');
  return DirectoryTarget.open(path, { ...identity, format });
}
