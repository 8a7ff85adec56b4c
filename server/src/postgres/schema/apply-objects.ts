import type pg from 'pg';
import { sqlState } from '../sqlstate.ts';
import { runSql } from './run-file.ts';
import { type SchemaFiles, sqlNameOf } from './schema-file.ts';
import { changedObjects, readHistory } from './schema-history.ts';

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
