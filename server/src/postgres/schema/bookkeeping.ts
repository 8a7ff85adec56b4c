import type pg from 'pg';
import { runFile } from './run-file.ts';
import type { SchemaFile } from './schema-file.ts';

// Any number that is no other advisory lock of the same database.
const migrationLock = 4_217_731;

/** Waits until no other process changes the schema of the database; the lock ends with the connection. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
}

/** Runs a migration and records it, in the caller's transaction. @throws MigrationError */
export async function runMigration(client: pg.Client, schema: string, migration: SchemaFile): Promise<void> {
  await runFile(client, migration);
  await client.query(`insert into ${schema}.schema_migrations (name, checksum) values ($1, $2)`, [
    migration.name,
    migration.checksum,
  ]);
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
