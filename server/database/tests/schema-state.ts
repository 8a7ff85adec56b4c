import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Database } from '../../src/postgres/database.ts';
import { createBookkeeping } from '../../src/postgres/schema/bookkeeping.ts';
import { analyticsSchema, mainSchema, readSchemaFiles } from '../../src/postgres/schema/schema-files.ts';
import type { Connection } from '../../test/support/cluster/find-or-start-cluster.ts';
import { describeSchema, listViewsAndMonths } from './describe-schema.ts';

/**
 * The saved states, named after the last migration of each database: the rows with the bookkeeping, and the views, which a
 * later migration may meet. The tables come from the files of the migrations, which never change.
 */
export const statesFolder = new URL('states/', import.meta.url);

export async function listStates(): Promise<string[]> {
  return (await readdir(statesFolder)).sort();
}

/** Restores a state into an empty database. */
export async function restoreState(address: Connection, file: string): Promise<void> {
  const [main = '', analytics = ''] = file.match(/\d{4}/g) ?? [];
  const client = new pg.Client(address);
  await client.connect();
  try {
    for (const [line, last] of [
      [mainSchema, main],
      [analyticsSchema, analytics],
    ] as const) {
      await createBookkeeping(client, line.schema);
      for (const { name, sql } of (await readSchemaFiles(line)).migrations)
        if (name.slice(0, 4) <= last) await client.query(sql);
    }
    await client.query(await readFile(new URL(file, statesFolder), 'utf8'));
  } finally {
    await client.end();
  }
}

/** Returns the SQL of a state's file. */
export async function dumpSavedState(database: Database): Promise<string> {
  const statements = [...(await listViewsAndMonths(database)), ...(await listRows(database))];
  return `${['-- Generated; see states.test.ts.', ...statements].join('\n\n')}\n`;
}

/** Returns everything in a database as texts, to compare it: its schema, the rows of every table, the values of its sequences. */
export async function dumpState(database: Database): Promise<string[]> {
  return [...(await describeSchema(database)), ...(await listRows(database))];
}

/** Returns the statements that insert the rows of every table and set its sequences. */
async function listRows(database: Database): Promise<string[]> {
  const inserts: string[] = [];
  for (const { table, columns, values } of await listTables(database)) {
    const { rows } = await database.pool.query<{ row: string }>(
      `select '(' || concat_ws(', ', ${values}) || ')' as row from ${table} order by 1`,
    );
    if (rows.length === 0) continue;
    inserts.push(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE VALUES\n${rows.map(({ row }) => `  ${row}`).join(',\n')};`,
    );
  }
  return [...inserts, ...(await listSequences(database))];
}

/**
 * Reads the rows of every table by its name, each row as JSON; only the columns that `only` has for the table. A table of `only`
 * may have become a view.
 */
export async function readRows(
  database: Database,
  only: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const { table } of await listTables(database, [...only.keys()])) {
    const { rows } = await database.pool.query<{ row: string }>(
      `select (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t))
                where $1::text[] is null or key = any($1))::text as row
       from ${table} t order by 1`,
      [only.get(table) ?? null],
    );
    tables.set(
      table,
      rows.map(({ row }) => row),
    );
  }
  return tables;
}

interface Table {
  readonly table: string;
  /** The columns that can be written, as SQL. */
  readonly columns: string;
  /** The expressions of their literals, as SQL. */
  readonly values: string;
}

/** Returns the tables, and the views with these names, in the order of creation; partitions are part of theirs. */
async function listTables(database: Database, views: readonly string[] = []): Promise<Table[]> {
  const { rows } = await database.pool.query<Table>(
    `select c.oid::regclass::text as table,
       string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
       string_agg(format('quote_nullable(%I::text)', a.attname), ', ' order by a.attnum) as values
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where n.nspname in ('public', 'analytics') and not c.relispartition
       and (c.relkind in ('r', 'p') or c.relkind = 'v' and c.oid::regclass::text = any ($1))
     group by c.oid order by c.oid`,
    [views],
  );
  return rows;
}

async function listSequences(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ statement: string }>(
    `select format('SELECT setval(%L, %s);', s.schemaname || '.' || s.sequencename, s.last_value) as statement
     from pg_sequences s
     where s.schemaname in ('public', 'analytics') and s.last_value is not null
     order by s.schemaname, s.sequencename`,
  );
  return rows.map(({ statement }) => statement);
}
