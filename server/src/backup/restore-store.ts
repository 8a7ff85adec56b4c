import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { engineNames, findEngineStore } from '../analytics/store/events-store.ts';
import { Closing } from '../lib/closing.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { transactionOf } from '../postgres/run-transaction.ts';
import { createBookkeeping, hasRun, lockMigrations, runMigration } from '../postgres/schema/bookkeeping.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import {
  analyticsSchema,
  type ManagedSchema,
  mainSchema,
  readSchemaFiles,
} from '../postgres/schema/schema-files.ts';
import { findWhyUnusable } from '../postgres/schema/usable-database.ts';
import { openConnection } from '../postgres/sessions/session-client.ts';
import { BackupError } from './archive.ts';
import { memberOf, type OpenBackup, type SchemaPart, type TablePart } from './manifest.ts';
import {
  type Attended,
  closeNow,
  copyConnectionOptions,
  findQueueVersion,
  listTables,
  quotedName,
} from './snapshot-store.ts';

export interface RestoreTarget {
  readonly main: DatabaseAddress;
  /** null: into the main database. `'none'`: the analytics of the backup are not restored. */
  readonly analytics: DatabaseAddress | null | 'none';
  /** Creates the tables of the job queue in the main database, which has none. */
  prepareQueue(): Promise<void>;
}

export interface RestoreSummary {
  readonly tables: number;
  readonly rows: number;
  /** Lists the parts that were not restored, with the reason; usually empty. */
  readonly leftOut: readonly string[];
}

/**
 * Fills empty databases from a backup. The rows of a database come in one transaction: after a failure or a crash it is empty as
 * before. With two databases, analytics are committed first. `finishSchema` has to follow.
 * @throws BackupError, what PostgreSQL reports, or the reason of `cancelled`
 */
export async function restoreBackup(
  { reader, manifest }: OpenBackup,
  target: RestoreTarget,
  options: Attended,
): Promise<RestoreSummary> {
  await using closing = new Closing();
  const separate = target.analytics === null || target.analytics === 'none' ? null : target.analytics;
  const main = await openEmptyDatabase(target.main, 'The database', closing);
  const analytics =
    separate === null ? main : await openEmptyDatabase(separate, 'The analytics store', closing);
  if (manifest.main.queue_version !== null) await target.prepareQueue();
  const parts: Part[] = [{ client: main, managed: mainSchema, part: manifest.main }];
  if (target.analytics !== 'none')
    parts.push({ client: analytics, managed: analyticsSchema, part: manifest.analytics });
  const clients = [...new Set([analytics, main])];
  for (const client of clients) await client.query('begin');
  const summary = { tables: 0, rows: 0, leftOut: [] as string[] };
  for (const schema of parts) await fill(schema, reader, summary, options);
  // [D205]
  if (target.analytics !== 'none' && (await findEngineStore(transactionOf(analytics))) !== null)
    summary.leftOut.push(
      `learning events and datasets: they are in ${engineNames.engine}, whose own backup has them`,
    );
  for (const client of clients) await client.query('commit');
  // The planner's statistics: the first queries come before autovacuum.
  for (const client of clients) await client.query('analyze');
  return summary;
}

/** Runs the migrations that the backup did not have yet, and creates views and routines. */
export async function finishSchema(target: Pick<RestoreTarget, 'main' | 'analytics'>): Promise<void> {
  await migrate(target.main, mainSchema);
  if (target.analytics !== 'none') await migrate(target.analytics ?? target.main, analyticsSchema);
}

/** @throws BackupError when a database cannot be filled, as `restoreBackup` does; what PostgreSQL reports */
export async function assertEmptyDatabase(address: DatabaseAddress): Promise<void> {
  await using closing = new Closing();
  await openEmptyDatabase(address, 'The database', closing);
}

/**
 * Opens a connection to a database that is to be filled, and keeps servers that start on it waiting until it is closed.
 * @throws BackupError when the database is not empty, older than PostgreSQL 16, or not in UTF-8
 */
async function openEmptyDatabase(
  address: DatabaseAddress,
  name: string,
  closing: Closing,
): Promise<pg.Client> {
  const client = await openConnection(copyConnectionOptions(address, 'brandport-restore'));
  closing.defer(() => closeNow(client));
  const refuse = (reason: string) => new BackupError(`${name} ${reason}. Nothing was written.`);
  const reason = await findWhyUnusable(client);
  if (reason !== null) throw new BackupError(`${reason} Nothing was written.`);
  await lockMigrations(client);
  const strangers = await listStrangers(client);
  if (strangers.length > 0)
    throw refuse(
      `is not empty: it has ${strangers.slice(0, 3).join(', ')}${strangers.length > 3 ? ', …' : ''}. Restore into an empty one`,
    );
  return client;
}

/** Lists the names of relations that a database must not have for a restore; a job queue without jobs is allowed. */
async function listStrangers(client: pg.Client): Promise<string[]> {
  const { rows: queue } = await client.query(`select to_regclass('pgboss.job') is not null as exists`);
  const hasJobs =
    queue[0].exists &&
    (await client.query('select exists (select from pgboss.job) as found')).rows[0].found === true;
  const { rows } = await client.query<{ name: string }>(
    `select format('%s.%s', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
       and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and (n.nspname <> 'pgboss' or $1)
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
    [hasJobs],
  );
  return rows.map(({ name }) => name);
}

interface Part {
  readonly client: pg.Client;
  readonly managed: ManagedSchema;
  readonly part: SchemaPart;
}

/** Creates and fills the tables of a schema, in the client's transaction. */
async function fill(
  { client, managed, part }: Part,
  reader: OpenBackup['reader'],
  summary: { tables: number; rows: number; leftOut: string[] },
  { log, cancelled }: Attended,
): Promise<void> {
  await createTables(client, managed, part);
  const addForeignKeys = await withoutForeignKeys(client, managed.schema);
  const present = new Map(
    (await listTables(client, managed.schema)).map((table) => [quotedName(table), table]),
  );
  for (const table of part.tables) {
    const name = `${table.schema}.${table.name}`;
    const found = present.get(quotedName(table));
    if (found === undefined) {
      summary.leftOut.push(`${name}: it is not a table of Brandport`);
      continue;
    }
    if (!table.columns.every((column) => found.columns.includes(column)))
      throw new BackupError(`${name} has other columns than this version's`);
    // [D112]
    if (table.schema === 'pgboss' && part.queue_version !== (await findQueueVersion(client))) {
      summary.leftOut.push(
        `${table.rows} jobs: they are of version ${part.queue_version} of the job queue. Feeds continue without them; ` +
          'request long aggregations again',
      );
      continue;
    }
    const copyInto = async (target: Pick<TablePart, 'schema' | 'name'>) => {
      const columns = table.columns.map((column) => `"${column}"`).join(', ');
      const rows = client.query(copyStreams.from(`copy ${quotedName(target)} (${columns}) from stdin`));
      await reader.copyTo(memberOf(table), rows, cancelled);
      if (rows.rowCount !== table.rows)
        throw new BackupError(`it is damaged: ${name} has ${rows.rowCount} rows instead of ${table.rows}`);
    };
    if (table.schema === 'pgboss') {
      const withdrawn = await takeJobs(client, table, copyInto);
      if (withdrawn > 0) summary.leftOut.push(`${withdrawn} jobs: this version does not have their kinds`);
    } else await copyInto(table);
    log('info', `${name}: ${table.rows} rows`);
    summary.tables += 1;
    summary.rows += table.rows;
  }
  // Without effect for a sequence that this schema does not have.
  for (const sequence of part.sequences)
    await client.query('select setval(to_regclass($1), $2::bigint)', [
      quotedName(sequence),
      sequence.last_value,
    ]);
  await addForeignKeys();
}

/** Creates the tables as they were in the backup, with its partitions, in the caller's transaction; no views and routines. */
async function createTables(client: pg.Client, managed: ManagedSchema, part: SchemaPart): Promise<void> {
  const { migrations } = await readSchemaFiles(managed);
  await createBookkeeping(client, managed.schema);
  for (const migration of migrations)
    if (hasRun(migration, part.migrations)) await runMigration(client, managed.schema, migration);
  for (const month of part.event_months) {
    const first = `${month}-01`;
    await client.query(
      `do $$ begin execute format('create table analytics.%I partition of analytics.learning_events
         for values from (%L) to (%L)', 'learning_events_${month.replace('-', '_')}', date '${first}',
         (date '${first}' + interval '1 month')::date); end $$`,
    );
  }
}

/**
 * Drops the foreign keys of a schema, and returns a function that adds them again and checks all rows at once [D112]. With them,
 * each row would be checked on its own, and the order of the tables would matter.
 */
async function withoutForeignKeys(client: pg.Client, schema: string): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
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

/**
 * Takes the copied jobs into the queue, in the caller's transaction, but those of kinds that this version does not have, such as
 * of a schedule of an earlier one. Returns the number of these. `fill` copies the rows into the table that it is given.
 */
async function takeJobs(
  client: pg.Client,
  table: TablePart,
  fill: (copied: Pick<TablePart, 'schema' | 'name'>) => Promise<void>,
): Promise<number> {
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  await client.query(
    `create temporary table copied_jobs on commit drop as select ${columns} from pgboss.job limit 0`,
  );
  await fill({ schema: 'pg_temp', name: 'copied_jobs' });
  const { rowCount } = await client.query(
    `insert into pgboss.job (${columns}) select ${columns} from pg_temp.copied_jobs
     where name in (select name from pgboss.queue)`,
  );
  return table.rows - (rowCount ?? 0);
}
