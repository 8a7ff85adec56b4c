import type pg from 'pg';
import { MigrationError, type SchemaFile } from './schema-file.ts';

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
