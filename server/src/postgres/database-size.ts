import type { Queryable } from './database.ts';
import { statement } from './statement.ts';

/** Returns the bytes on disk of the database: PostgreSQL adds up the sizes of its files, without reading any. */
export async function readDatabaseSize(database: Queryable): Promise<number> {
  const rows = await database.run(
    statement<{ bytes: number }>(
      'read_database_size',
      'select pg_database_size(current_database())::float8 as bytes',
      [],
      { long: true },
    ),
  );
  return rows[0]?.bytes ?? 0;
}
