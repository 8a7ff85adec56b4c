import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { runSql } from './run-file.ts';
import { MigrationError, type SchemaFile } from './schema-file.ts';
import type { Applied } from './schema-history.ts';

/** Time limit in milliseconds for the locks of an upgrade, and of a start. */
export const lockPatienceMs = 60_000;

/** The ends of a wait for locks, and who hears of it. */
export interface LockWaiting {
  /** Called once, when the wait has begun to be long. */
  readonly onWait?: (() => void) | undefined;
  /** Ends the wait with its reason. */
  readonly cancelled?: AbortSignal | undefined;
}

// Any number that is no other advisory lock of the same database.
const migrationLock = 4_217_731;

const retryMs = 100;
/** A wait of less than this is not reported. */
const quietMs = 1_500;

/**
 * Waits until no other process changes the schema of the database; the lock ends with the connection.
 * @throws MigrationError after a minute; the reason of `cancelled`
 */
export async function lockMigrations(
  client: pg.Client,
  { onWait, cancelled }: LockWaiting = {},
): Promise<void> {
  const startedAt = performance.now();
  let isTold = false;
  for (;;) {
    cancelled?.throwIfAborted();
    // Not a wait in PostgreSQL: that would continue there after this process has stopped.
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_locked', [migrationLock]);
    if (rows[0].is_locked) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > quietMs && !isTold) onWait?.();
    isTold ||= waitedMs > quietMs;
    if (waitedMs > lockPatienceMs)
      throw new MigrationError(
        `Another process has been migrating or restoring the database for ${lockPatienceMs / 1_000} s. Wait for it, or end its ` +
          'session with pg_terminate_backend; docs/operations.md, "Locks", finds it. Nothing was changed.',
      );
    await sleep(retryMs, undefined, { signal: cancelled }).catch(() => {});
  }
}

/** Runs a migration and records it, in the caller's transaction. @throws MigrationError */
export async function runMigration(client: pg.Client, schema: string, migration: SchemaFile): Promise<void> {
  await runSql(client, migration);
  await recordMigration(client, schema, migration);
}

async function recordMigration(
  client: pg.Client,
  schema: string,
  { name, checksum }: Applied,
): Promise<void> {
  const text = `insert into ${schema}.schema_migrations (name, checksum) values ($1, $2)`;
  await client.query(text, [name, checksum]);
}

/** `schema_migrations` and `schema_objects`: the files that were applied; `schema_revision`: that of views and routines. */
export async function createBookkeeping(client: pg.Client, schema: string): Promise<void> {
  if (schema !== 'public') await client.query(`create schema if not exists ${schema}`);
  await client.query(`
    create table if not exists ${schema}.schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    create table if not exists ${schema}.schema_objects (
      name text primary key,
      checksum text not null,
      position integer not null,
      applied_at timestamptz not null default now()
    );
    create table if not exists ${schema}.schema_revision (
      is_only boolean primary key default true check (is_only),
      revision integer not null,
      applied_at timestamptz not null default now()
    )`);
}
