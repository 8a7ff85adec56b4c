import type pg from 'pg';
import { sqlState } from '../database-errors.ts';
import { type LockWaiting, withLockPatience } from './lock-patience.ts';
import {
  type AppliedFile,
  type Migration,
  MigrationError,
  type SchemaFile,
  type SchemaFiles,
  sqlNameOf,
} from './schema-files.ts';

// Any number that is no other advisory lock of the same database.
const migrationLock = 4_217_731;

const retryMs = 100;
/** A wait of less than this is not reported. */
const quietMs = 1_500;

/**
 * Waits until no other process changes the schema of the database; the lock ends with the connection.
 * @throws MigrationError after a minute; the reason of `cancelled`
 */
export async function lockMigrations(client: pg.Client, waiting: LockWaiting = {}): Promise<void> {
  // Not a wait in PostgreSQL: that would continue there after this process has stopped.
  const tryLock = async () => {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_locked', [migrationLock]);
    if (!rows[0].is_locked) throw new BusyError();
  };
  await withLockPatience(tryLock, waiting, {
    isBusy: (error) => error instanceof BusyError,
    late: (_, seconds) =>
      new MigrationError(
        `Another process has been migrating or restoring the database for ${seconds} s. Wait for it, or end its ` +
          'session with pg_terminate_backend; docs/monitoring.md, "Locks", finds it. Nothing was changed.',
      ),
    retryMs,
    quietMs,
  });
}

/** Another process has the lock. */
class BusyError extends Error {}

/** Runs a migration and records it, in the caller's transaction. @throws MigrationError */
export async function runMigration(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  await runSql(client, migration);
  const text = `insert into ${schema}.schema_migrations (name, checksum) values ($1, $2)`;
  for (const { name, checksum } of migration.records) await client.query(text, [name, checksum]);
}

/** Returns whether a database, or a backup of one, with these records has run a migration. */
export function hasRun({ records }: Migration, applied: readonly AppliedFile[]): boolean {
  return records.every(({ name }) => applied.some((one) => one.name === name));
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

/** The schema state of a database, from its bookkeeping tables and its catalog. */
export interface SchemaHistory {
  readonly migrations: readonly AppliedFile[];
  /** Views and routines that Brandport created, in the order of creation. */
  readonly objects: readonly AppliedFile[];
  /** The revision of views and routines; 0 before the first. */
  readonly revision: number;
  /** The views and routines that exist, by the names of their files. */
  readonly present: ReadonlySet<string>;
}

/** Reads the bookkeeping. A database without any has an empty history. */
export async function readHistory(client: pg.Client, schema: string): Promise<SchemaHistory> {
  const rowsOf = async <Row extends object>(table: string, text: string): Promise<Row[]> => {
    const name = `${schema}.${table}`;
    const { rows } = await client.query('select to_regclass($1) is not null as exists', [name]);
    return rows[0].exists ? (await client.query<Row>(text.replace('$table', name))).rows : [];
  };
  const migrations = await rowsOf<AppliedFile>(
    'schema_migrations',
    'select name, checksum from $table order by name',
  );
  const objects = await rowsOf<AppliedFile>(
    'schema_objects',
    'select name, checksum from $table order by position',
  );
  const [latest] = await rowsOf<{ revision: number }>('schema_revision', 'select revision from $table');
  return { migrations, objects, revision: latest?.revision ?? 0, present: await listPresent(client, schema) };
}

async function listPresent(client: pg.Client, schema: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select 'views/' || replace(c.relname, '_', '-') as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'v'
     union
     select 'routines/' || replace(p.proname, '_', '-')
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = $1`,
    [schema],
  );
  return new Set(rows.map(({ name }) => name));
}

/** @throws MigrationError if the database is newer, or older than the baseline, or a migration was changed after it ran */
export function requireKnownHistory(files: SchemaFiles, history: SchemaHistory): void {
  const known = checksumsOf(files);
  if (isBeforeBaseline(files, history.migrations))
    throw new MigrationError(
      'The database has the schema of an older Brandport than the last 0.3, which this version does not upgrade. Run ' +
        '`brandport migrate` of the last 0.3 on it first; for a database from before 0.3, that of 0.2 before it.',
    );
  for (const { name, checksum } of history.migrations) {
    const expected = known.get(name);
    if (expected === undefined)
      throw new MigrationError(
        `The database has the migration ${name}, which this version does not have: it was used by a newer Brandport, or by ` +
          'an unreleased one.',
      );
    if (expected !== checksum)
      throw new MigrationError(
        `The migration ${name} was changed after it ran; migrations are forward only.`,
      );
  }
  if (history.revision > files.revision)
    throw new MigrationError(
      `The database has revision ${history.revision} of views and routines, this version has ${files.revision}: ` +
        'it was used by a newer Brandport.',
    );
}

/** Returns the checksum of each record that a database of this version may have. */
export function checksumsOf({ migrations }: SchemaFiles): ReadonlyMap<string, string> {
  return new Map(migrations.flatMap(({ records }) => records.map(({ name, checksum }) => [name, checksum])));
}

/** Returns whether records lack a part of the baseline: they are of a version that has not finished it [D320]. */
export function isBeforeBaseline(
  { migrations: [baseline] }: SchemaFiles,
  applied: readonly AppliedFile[],
): boolean {
  return baseline !== undefined && applied.length > 0 && !hasRun(baseline, applied);
}

/** Returns whether the database has every migration, view and routine of this version, and none of an older one. */
export function isCurrent(files: SchemaFiles, history: SchemaHistory): boolean {
  return (
    files.migrations.every((migration) => hasRun(migration, history.migrations)) &&
    history.revision === files.revision &&
    history.objects.length === files.objects.length &&
    changedObjects(files, history).length === 0
  );
}

function changedObjects(files: SchemaFiles, history: SchemaHistory) {
  const checksums = new Map(history.objects.map(({ name, checksum }) => [name, checksum]));
  return files.objects.filter(
    ({ name, checksum }) => checksums.get(name) !== checksum || !history.present.has(name),
  );
}

/** Runs SQL on behalf of a file, which an error names. @throws MigrationError with the error of PostgreSQL as its cause */
async function runSql(client: pg.Client, { name, sql }: Pick<SchemaFile, 'name' | 'sql'>): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw new MigrationError(`${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** PostgreSQL refuses `create or replace` or `drop` because columns, result or dependents differ. */
const needsRebuild = /^(42P13|42P16|42809|2BP01)$/;

/**
 * Applies the views and routines whose text changed, drops those without a file, and records the revision, in the caller's
 * transaction. If `create or replace` is not sufficient, all of them are dropped and created again [D80]. Returns the names of
 * the files that were applied, and `dropped <name>` for the others.
 * @throws MigrationError with the error of PostgreSQL as its cause
 */
export async function applyObjects(client: pg.Client, schema: string, files: SchemaFiles): Promise<string[]> {
  const history = await readHistory(client, schema);
  const changed = changedObjects(files, history);
  const names = new Set(files.objects.map(({ name }) => name));
  const gone = history.objects.map(({ name }) => name).filter((name) => !names.has(name));
  await client.query('savepoint objects');
  try {
    for (const object of changed) await runSql(client, object);
    for (const name of gone.toReversed()) await dropObject(client, schema, name);
  } catch (error) {
    if (!needsRebuild.test(sqlState((error as Error).cause) ?? '')) throw error;
    await client.query('rollback to savepoint objects');
    for (const { name } of history.objects.toReversed()) await dropObject(client, schema, name);
    for (const object of files.objects) await runSql(client, object);
  }
  await client.query('release savepoint objects');
  await record(client, schema, files);
  return [...changed.map(({ name }) => name), ...gone.map((name) => `dropped ${name}`)];
}

/** Drops a view, or a routine with the triggers that call it, if it exists. */
async function dropObject(client: pg.Client, schema: string, name: string): Promise<void> {
  const sqlName = `${schema}.${sqlNameOf(name)}`;
  if (name.startsWith('views/')) return runSql(client, { name, sql: `drop view if exists ${sqlName}` });
  const { rows } = await client.query<{ trigger: string }>(
    `select format('%I on %s', t.tgname, t.tgrelid::regclass) as trigger
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = $1 and p.proname = $2 and t.tgparentid = 0`,
    [schema, sqlNameOf(name)],
  );
  for (const { trigger } of rows) await runSql(client, { name, sql: `drop trigger ${trigger}` });
  await runSql(client, { name, sql: `drop routine if exists ${sqlName}` });
}

async function record(client: pg.Client, schema: string, { objects, revision }: SchemaFiles): Promise<void> {
  const names = objects.map(({ name }) => name);
  await client.query(`delete from ${schema}.schema_objects where name <> all ($1)`, [names]);
  await client.query(
    `insert into ${schema}.schema_objects as o (name, checksum, position)
     select name, checksum, position from unnest($1::text[], $2::text[]) with ordinality as f (name, checksum, position)
     on conflict (name) do update set checksum = excluded.checksum, position = excluded.position,
       applied_at = case when o.checksum = excluded.checksum then o.applied_at else now() end`,
    [names, objects.map(({ checksum }) => checksum)],
  );
  await client.query(
    `insert into ${schema}.schema_revision as r (revision) values ($1)
     on conflict (is_only) do update set revision = excluded.revision, applied_at = now()`,
    [revision],
  );
}
