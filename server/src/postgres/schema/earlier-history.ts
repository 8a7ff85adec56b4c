import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { MigrationError } from './migration-error.ts';
import { runFile } from './run-file.ts';
import type { SchemaHistory } from './schema-history.ts';
import type { SchemaLine } from './schema-line.ts';

/**
 * The migrations before `0001-schema`, which replaced them [D79]. A database that has all of them has the tables of
 * `0001-schema`: its bookkeeping is rewritten, and no row changes.
 */
export interface EarlierHistory {
  /** Names and the first 16 hexadecimal digits of the checksums, in order. */
  readonly migrations: readonly (readonly [name: string, checksum: string])[];
  /** The views and routines that these migrations created. */
  readonly objects: readonly string[];
  /** A file in the folder of the line that makes up what `0001-schema` has beyond them; null: there is nothing. */
  readonly file: string | null;
}

/** The last commit that has these migrations, to which an operator turns with an older database. */
const lastCommit = '84384a4';

export const earlierMainHistory: EarlierHistory = {
  migrations: [
    ['0001-foundation', '7a97c49652744689'],
    ['0002-catalog', '74c025fa15fa9d56'],
    ['0003-directory', 'a7ed1c7feec8c58e'],
    ['0004-catalog-versions', 'c2b0417f46ef481b'],
    ['0005-write-speed', 'bb27fcd07720de41'],
    ['0006-feed-speed', '7f0b1f0c4310fca8'],
    ['0007-claims-and-adjustments', '2332e1bede1e46c7'],
    ['0008-unambiguous-indexes', '641634bc14e8ad04'],
    ['0009-learner-returns', '3c5cca0447a502f3'],
    ['0010-overlapping-keys', '55cd62496f86bd5c'],
  ],
  objects: [
    'views/product-stock-truth',
    'views/variant-stock',
    'views/product-variant-truth',
    'routines/claim-idempotency-key',
    'routines/adjust-stock',
    'routines/note-learner-return',
  ],
  file: 'earlier.sql',
};

export const earlierAnalyticsHistory: EarlierHistory = {
  migrations: [
    ['0001-events', '603b7d77db243c95'],
    ['0002-datasets', '94488484132999d8'],
    ['0003-event-partitions', '856d6b74a73ceeea'],
    ['0004-partition-readers', '0e4ea38b02ae8c51'],
  ],
  objects: ['routines/make-event-partition', 'routines/drop-events-before'],
  file: null,
};

/**
 * Whether the database has the complete earlier history.
 * @throws MigrationError when it has a part of it, or a changed one
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
  // Without a checksum: each is applied again, or dropped where its file is gone.
  await client.query(
    `insert into ${line.schema}.schema_objects (name, checksum, position)
     select name, '', position from unnest($1::text[]) with ordinality as object (name, position)`,
    [line.earlier.objects],
  );
}
