import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { sha256 } from '../lib/sha256.ts';
import { openConnection } from './connection-loss.ts';
import { connectionOptions, type DatabaseAddress } from './connection-options.ts';
import { isLockTimeout, isRetryable } from './sqlstate.ts';

export interface Migration {
  /** The file's name without `.sql`; files run in the order of their names. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The schema and the migration files do not fit together; the message says how. */
export class MigrationError extends Error {}

/** One line of migrations: its files, and the schema whose `schema_migrations` remembers which of them ran. */
export interface MigrationLine {
  readonly folder: URL;
  readonly schema: string;
}

/** The main database: brands, keys, catalog, directory. */
export const mainMigrations: MigrationLine = {
  folder: new URL('../../migrations/', import.meta.url),
  schema: 'public',
};

/** The analytics store, which may be another database: everything of it is in the schema `analytics`. */
export const analyticsMigrations: MigrationLine = {
  folder: new URL('../../migrations-analytics/', import.meta.url),
  schema: 'analytics',
};

/** How long a statement of a migration waits for a lock. Whoever comes behind it waits as long, so it is short. */
const lockWaitMs = 2_000;
/** How long a migration is tried again that did not get its locks. */
const lockPatienceMs = 120_000;
const lockRetryMs = 500;

// Any fixed number; it only must not be used for another advisory lock of the same database.
const migrationLock = 4_217_731;

/** The forward-only SQL files of a line, in order. */
export async function listMigrations({ folder }: MigrationLine): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, folder), 'utf8');
      return { name: file.slice(0, -'.sql'.length), sql, checksum: sha256(sql).toString('hex') };
    }),
  );
}

/**
 * Brings the database to the newest schema and answers the names of the migrations that it ran. Each runs in a
 * transaction of its own, together with its record. Any number of processes may call this at once: a session lock
 * lets one work and the others wait.
 * @throws MigrationError when a migration that ran before was changed since, or is not known here (a newer Brandport
 *   has used the database).
 */
export async function migrate(address: DatabaseAddress, line: MigrationLine): Promise<string[]> {
  const migrations = await listMigrations(line);
  const history = `${line.schema}.schema_migrations`;
  const client = await openConnection(connectionOptions(address, 'brandport-migrate'));
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    if (line.schema !== 'public') await client.query(`create schema if not exists ${line.schema}`);
    await client.query(`create table if not exists ${history} (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
    const applied = await client.query<{ name: string; checksum: string }>(
      `select name, checksum from ${history} order by name`,
    );
    checkHistory(migrations, applied.rows);
    const done = new Set(applied.rows.map((row) => row.name));
    const pending = migrations.filter((migration) => !done.has(migration.name));
    for (const migration of pending) await apply(client, migration, history);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/**
 * Makes sure that the database has the newest schema of a line, and writes nothing.
 * @throws MigrationError when it has an older one, none, or that of a newer Brandport.
 */
export async function requireMigrated(address: DatabaseAddress, line: MigrationLine): Promise<void> {
  const history = `${line.schema}.schema_migrations`;
  const client = await openConnection(connectionOptions(address, 'brandport-migrate'));
  try {
    const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
      history,
    ]);
    const applied = rows[0]?.exists
      ? (await client.query<{ name: string; checksum: string }>(`select name, checksum from ${history}`)).rows
      : [];
    const migrations = await listMigrations(line);
    checkHistory(migrations, applied);
    if (applied.length < migrations.length)
      throw new MigrationError('The database has an older schema; run `brandport migrate` first.');
  } finally {
    await client.end();
  }
}

/**
 * Applies a migration while other processes serve. A statement that waits for a lock holds up everything behind it, so
 * it gives up soon, and the whole migration is tried again later. So it is after a deadlock with a request.
 */
async function apply(client: pg.Client, migration: Migration, history: string): Promise<void> {
  for (const deadline = performance.now() + lockPatienceMs; ; await sleep(lockRetryMs)) {
    try {
      return await applyOnce(client, migration, history);
    } catch (error) {
      const { cause } = error as Error;
      if (!(isLockTimeout(cause) || isRetryable(cause)) || performance.now() > deadline) throw error;
    }
  }
}

/** @throws MigrationError with the failure of PostgreSQL as its cause */
async function applyOnce(client: pg.Client, migration: Migration, history: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockWaitMs}`);
    await client.query(migration.sql);
    await client.query(`insert into ${history} (name, checksum) values ($1, $2)`, [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new MigrationError(`Migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function checkHistory(
  migrations: readonly Migration[],
  applied: readonly { name: string; checksum: string }[],
) {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const { name, checksum } of applied) {
    const expected = known.get(name);
    if (expected === undefined)
      throw new MigrationError(
        `The database has the migration ${name}, which this version does not know: it was used by a newer Brandport.`,
      );
    if (expected !== checksum)
      throw new MigrationError(
        `The migration ${name} was changed after it ran; migrations are forward only.`,
      );
  }
}
