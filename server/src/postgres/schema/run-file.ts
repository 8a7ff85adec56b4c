import type pg from 'pg';
import { MigrationError } from './migration-error.ts';
import type { SchemaFile } from './schema-file.ts';

/** Runs the statements of a file. @throws MigrationError with the error of PostgreSQL as its cause */
export function runFile(client: pg.Client, { name, sql }: SchemaFile): Promise<void> {
  return run(client, name, sql);
}

/** Runs SQL on behalf of a file, which an error names. @throws MigrationError with the error of PostgreSQL as its cause */
export async function run(client: pg.Client, file: string, sql: string): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw new MigrationError(`${file} failed: ${(error as Error).message}`, { cause: error });
  }
}
