import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { MigrationError } from './migration-error.ts';
import { runFile } from './run-file.ts';
import type { SchemaHistory } from './schema-history.ts';
import type { SchemaLine } from './schema-line.ts';

/** The last commit with these migrations; an operator upgrades an older database with it first. */
const lastCommit = '84384a4';

/**
 * Returns whether the database has the complete earlier history.
 * @throws MigrationError if it has only a part of it, or a changed one
 */
export function hasEarlierHistory({ migrations }: SchemaHistory, { earlier }: SchemaLine): boolean {
  const names = new Set(earlier.migrations.map(([name]) => name));
  if (!migrations.some(({ name }) => names.has(name))) return false;
  const isComplete =
    migrations.length === earlier.migrations.length &&
    migrations.every(({ name, checksum }, index) => {
      const [expectedName, digest] = earlier.migrations[index] as readonly [string, string];
      return name === expectedName && checksum.startsWith(digest);
    });
  if (isComplete) return true;
  throw new MigrationError(
    `The database stands at migration ${migrations.at(-1)?.name}, which this version cannot upgrade. Start commit ` +
      `${lastCommit} of Brandport on it once, then this version.`,
  );
}

/**
 * Upgrades a database with the complete earlier history to `0001-schema`, whose checksum is given, in the caller's transaction.
 * @throws MigrationError with the error of PostgreSQL as its cause
 */
export async function adoptEarlierHistory(
  client: pg.Client,
  line: SchemaLine,
  checksum: string,
): Promise<void> {
  const { file } = line.earlier;
  if (file !== null) {
    const sql = await readFile(new URL(file, line.folder), 'utf8');
    await runFile(client, { name: file, sql, checksum: '' });
  }
  await client.query(`delete from ${line.schema}.schema_migrations`);
  await client.query(
    `insert into ${line.schema}.schema_migrations (name, checksum) values ('0001-schema', $1)`,
    [checksum],
  );
  // Without a checksum, so that each is applied again, or dropped if its file no longer exists.
  await client.query(
    `insert into ${line.schema}.schema_objects (name, checksum, position)
     select name, '', position from unnest($1::text[]) with ordinality as object (name, position)`,
    [line.earlier.objects],
  );
}
