import type { Writable } from 'node:stream';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { createBookkeeping, lockMigrations, runMigration } from '../postgres/schema/bookkeeping.ts';
import { readSchemaFiles } from '../postgres/schema/schema-files.ts';
import type { SchemaLine } from '../postgres/schema/schema-line.ts';
import { openConnection } from '../postgres/sessions/session-client.ts';
import { BackupError } from './backup-error.ts';
import { copyConnectionOptions, quotedName } from './copy-connection.ts';
import type { SchemaPart, TablePart } from './manifest.ts';
import { listStrangers, listTables } from './queries/list-stored-objects.ts';

const oldestPostgres = 160_000;

/**
 * Opens a connection to a database that is to be filled, and keeps servers that start on it waiting until it is closed.
 * @throws BackupError when the database is not empty, older than PostgreSQL 16, or not in UTF-8
 */
export async function openEmptyDatabase(address: DatabaseAddress, name: string): Promise<pg.Client> {
  const client = await openConnection(copyConnectionOptions(address, 'brandport-restore'));
  try {
    const { rows } = await client.query(
      `select current_setting('server_version_num')::integer as number, current_setting('server_version') as version,
         current_setting('server_encoding') as encoding`,
    );
    const { number, version, encoding } = rows[0];
    if (number < oldestPostgres)
      throw new BackupError(
        `${name} is PostgreSQL ${version}; Brandport needs 16 or later. Nothing was written.`,
      );
    if (encoding !== 'UTF8')
      throw new BackupError(
        `${name} has the encoding ${encoding}; Brandport needs UTF8. Nothing was written.`,
      );
    await lockMigrations(client);
    const strangers = await listStrangers(client);
    if (strangers.length > 0)
      throw new BackupError(
        `${name} is not empty: it has ${strangers.slice(0, 3).join(', ')}${strangers.length > 3 ? ', …' : ''}. ` +
          'Restore into an empty one. Nothing was written.',
      );
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Creates the tables as they were in the backup, with its partitions, in the caller's transaction; no views and routines. */
export async function createTables(client: pg.Client, line: SchemaLine, part: SchemaPart): Promise<void> {
  const { migrations } = await readSchemaFiles(line);
  const names = new Set(part.migrations.map(({ name }) => name));
  await createBookkeeping(client, line.schema);
  for (const migration of migrations)
    if (names.has(migration.name)) await runMigration(client, line.schema, migration);
  for (const month of part.event_months) {
    const first = `${month}-01`;
    await client.query(
      `do $$ begin execute format('create table analytics.%I partition of analytics.learning_events
         for values from (%L) to (%L)', 'learning_events_${month.replace('-', '_')}', date '${first}',
         (date '${first}' + interval '1 month')::date); end $$`,
    );
  }
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Removes the foreign keys of a schema [D112], in the caller's transaction, and returns a function that adds them again and
 * checks all rows at once. With them, each row would be checked on its own, and the order of the tables would matter.
 */
export async function withoutForeignKeys(client: pg.Client, schema: string): Promise<() => Promise<void>> {
  const { rows } = await client.query<ForeignKey>(
    `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_namespace n on n.oid = c.connamespace
     where n.nspname = $1 and c.contype = 'f' and c.conparentid = 0
     order by c.oid`,
    [schema],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return async () => {
    for (const { table, name, definition } of rows)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  };
}

/** Returns the tables of the backup that the database has with all their columns, and the names of the others. */
export async function matchTables(
  client: pg.Client,
  part: SchemaPart,
  schema: string,
): Promise<{ known: TablePart[]; unknown: string[] }> {
  const present = new Map((await listTables(client, [schema])).map((table) => [quotedName(table), table]));
  const known: TablePart[] = [];
  const unknown: string[] = [];
  for (const table of part.tables) {
    const found = present.get(quotedName(table));
    if (found === undefined) unknown.push(`${table.schema}.${table.name}`);
    else if (table.columns.every((column) => found.columns.includes(column))) known.push(table);
    else throw new BackupError(`${table.schema}.${table.name} has other columns than this version's`);
  }
  return { known, unknown };
}

/** A stream that adds rows in PostgreSQL's text format to a table; `rowCount` afterwards is the number of rows. */
export function rowsInto(client: pg.Client, table: TablePart): Writable & { readonly rowCount: number } {
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  return client.query(copyStreams.from(`copy ${quotedName(table)} (${columns}) from stdin`));
}

/**
 * Takes the copied jobs into the queue, in the caller's transaction, but those of kinds that this version does not have, such as
 * of a schedule of an earlier one. Returns the number of these. `fill` copies the rows into the table that it is given.
 */
export async function takeJobs(
  client: pg.Client,
  table: TablePart,
  fill: (copied: TablePart) => Promise<void>,
): Promise<number> {
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  const copied = { ...table, schema: 'pg_temp', name: 'copied_jobs' };
  await client.query(
    `create temporary table copied_jobs on commit drop as select ${columns} from pgboss.job limit 0`,
  );
  await fill(copied);
  const { rowCount } = await client.query(
    `insert into pgboss.job (${columns}) select ${columns} from pg_temp.copied_jobs
     where name in (select name from pgboss.queue)`,
  );
  return table.rows - (rowCount ?? 0);
}

/** Sets the sequences to where they were; a sequence that this schema does not have is left out. */
export async function setSequences(client: pg.Client, part: SchemaPart): Promise<void> {
  for (const sequence of part.sequences)
    await client.query('select setval(to_regclass($1), $2::bigint)', [
      quotedName(sequence),
      sequence.last_value,
    ]);
}
