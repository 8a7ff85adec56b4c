import { readdir, readFile } from 'node:fs/promises';
import { listSchemaStatements } from '../../scripts/schema-dump/dump-schema.ts';
import type { Database } from '../../src/postgres/database.ts';
import { runSql } from '../../test/support/fresh-database.ts';

type Address = Parameters<typeof runSql>[0];

/** The saved states: one file for each migration, with the schema, its rows and the bookkeeping. */
export const statesFolder = new URL('states/', import.meta.url);

export async function listStates(): Promise<string[]> {
  return (await readdir(statesFolder)).sort();
}

/** Restores a state into an empty database. */
export async function restoreState(address: Address, file: string): Promise<void> {
  await runSql(address, await readFile(new URL(file, statesFolder), 'utf8'));
}

/**
 * Returns the state of a database as SQL: its schema, then the rows of every table, then the values of its sequences.
 */
export async function dumpState(database: Database): Promise<string> {
  const statements = await listSchemaStatements(database);
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
  return `${['-- Generated; see states.test.ts.', ...statements, ...inserts, ...(await listSequences(database))].join('\n\n')}\n`;
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
