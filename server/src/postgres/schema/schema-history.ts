import type pg from 'pg';
import { MigrationError, type SchemaFiles } from './schema-file.ts';

/** The schema state of a database, from its bookkeeping tables and its catalog. */
export interface SchemaHistory {
  readonly migrations: readonly Applied[];
  /** Views and routines that Brandport created, in the order of creation. */
  readonly objects: readonly Applied[];
  /** The revision of views and routines; 0 before the first. */
  readonly revision: number;
  /** The views and routines that exist, by the names of their files. */
  readonly present: ReadonlySet<string>;
}

export interface Applied {
  readonly name: string;
  readonly checksum: string;
}

/** Reads the bookkeeping. A database without any has an empty history. */
export async function readHistory(client: pg.Client, schema: string): Promise<SchemaHistory> {
  const rowsOf = async <Row extends object>(table: string, text: string): Promise<Row[]> => {
    const name = `${schema}.${table}`;
    const { rows } = await client.query('select to_regclass($1) is not null as exists', [name]);
    return rows[0].exists ? (await client.query<Row>(text.replace('$table', name))).rows : [];
  };
  const migrations = await rowsOf<Applied>(
    'schema_migrations',
    'select name, checksum from $table order by name',
  );
  const objects = await rowsOf<Applied>(
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

/** @throws MigrationError if a newer or an early version used the database, or a migration was changed after it ran */
export function requireKnownHistory(files: SchemaFiles, history: SchemaHistory): void {
  const known = new Map(files.migrations.map((migration) => [migration.name, migration.checksum]));
  if (isEarly(files, history.migrations))
    throw new MigrationError(
      'The database has the schema of an early version of Brandport, which this version does not upgrade. Run `brandport migrate` ' +
        'of version 0.2 on it first.',
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

/** Returns whether a history is one from before the first migration of this version, which later ones begin with [D79]. */
function isEarly({ migrations: [first] }: SchemaFiles, applied: readonly Applied[]): boolean {
  return applied.length > 0 && applied.every(({ name }) => name !== first?.name);
}

/** Returns whether the database has every migration, view and routine of this version, and none of an older one. */
export function isCurrent(files: SchemaFiles, history: SchemaHistory): boolean {
  return (
    history.migrations.length === files.migrations.length &&
    history.revision === files.revision &&
    history.objects.length === files.objects.length &&
    changedObjects(files, history).length === 0
  );
}

export function changedObjects(files: SchemaFiles, history: SchemaHistory) {
  const checksums = new Map(history.objects.map(({ name, checksum }) => [name, checksum]));
  return files.objects.filter(
    ({ name, checksum }) => checksums.get(name) !== checksum || !history.present.has(name),
  );
}
