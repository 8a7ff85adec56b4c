import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { MigrationError, type SchemaFile } from './schema-file.ts';
import type { Applied } from './schema-history.ts';
import type { SchemaLine } from './schema-line.ts';

/** Runs SQL on behalf of a file, which an error names. @throws MigrationError with the error of PostgreSQL as its cause */
export async function runSql(
  client: pg.Client,
  { name, sql }: Pick<SchemaFile, 'name' | 'sql'>,
): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw new MigrationError(`${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Runs the replaced migrations after the last that a database has, in the caller's transaction, so that it has the schema of the
 * baseline [D79]. @throws MigrationError with the error of PostgreSQL as its cause
 */
export async function runReplaced(
  client: pg.Client,
  { folder, replaced }: SchemaLine,
  applied: readonly Applied[],
): Promise<void> {
  const done = new Set(applied.map(({ name }) => name));
  const last = replaced.findLastIndex(({ name }) => done.has(name));
  for (const { name } of replaced.slice(last + 1)) {
    const sql = await readFile(new URL(`replaced/${name}.sql`, folder), 'utf8');
    await runSql(client, { name, sql });
  }
}
