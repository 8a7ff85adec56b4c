import type { Readable } from 'node:stream';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { Closing } from '../lib/closing.ts';
import type { Log } from '../lib/log.ts';
import { connectionOptions, type DatabaseAddress, withSettings } from '../postgres/connection-options.ts';
import { readHistory } from '../postgres/schema/bookkeeping.ts';
import { openConnection } from '../postgres/sessions/session-client.ts';
import { ArchiveWriter, BackupError } from './archive.ts';
import { addManifest, memberOf, type SchemaPart, type TablePart } from './manifest.ts';

export interface BackupSource {
  readonly main: DatabaseAddress;
  /** null: in the main database. */
  readonly analytics: DatabaseAddress | null;
}

/** The log of long work, and the signal that ends it. */
export interface Attended {
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

export interface BackupSummary {
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
  /** ISO 8601, by the database's clock. */
  readonly createdAt: string;
}

/**
 * Writes all tables, as one snapshot sees them, to a new file [D115], while the databases are in use. A separate analytics store
 * has its own snapshot; rows in an engine are left out [D205]. The file is complete and flushed to the disk when this
 * returns; otherwise there is none.
 * @param version that of Brandport, for the manifest
 * @throws BackupError, what PostgreSQL reports, or the reason of `cancelled`
 */
export async function createBackup(
  source: BackupSource,
  file: string,
  { version, log, cancelled }: Attended & { readonly version: string },
): Promise<BackupSummary> {
  await using closing = new Closing();
  const writer = await ArchiveWriter.create(file);
  closing.defer(() => writer.discard());
  const [main, analytics] = await openSnapshots(source, closing);
  const to = { writer, log, cancelled };
  const parts = {
    main: await writeSchema(to, main, 'public'),
    analytics: await writeSchema(to, analytics, 'analytics'),
  };
  const createdAt = main.takenAt.toISOString();
  await addManifest(writer, { brandport: version, created_at: createdAt, ...parts });
  const tables = [...parts.main.tables, ...parts.analytics.tables];
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { tables: tables.length, rows, bytes: await writer.finish(), createdAt };
}

/** An open transaction that sees one state of the database while others write. */
interface Snapshot {
  readonly client: pg.Client;
  readonly takenAt: Date;
}

/** Opens those of main database and analytics store; the same one if both are in one database. */
async function openSnapshots(
  { main, analytics }: BackupSource,
  closing: Closing,
): Promise<[Snapshot, Snapshot]> {
  if (analytics === null) {
    const both = await openSnapshot(main, closing);
    return [both, both];
  }
  const client = await openConnection(copyConnectionOptions(main, 'brandport-backup'));
  try {
    await holdDirectory(client);
    return [await openSnapshot(main, closing), await openSnapshot(analytics, closing)];
  } finally {
    // Ends the transaction, which wrote nothing.
    await client.end();
  }
}

/** Opens a snapshot, which `closing` ends. It waits for no writer, and none waits for it. */
async function openSnapshot(address: DatabaseAddress, closing: Closing): Promise<Snapshot> {
  const client = await openConnection(copyConnectionOptions(address, 'brandport-backup'));
  closing.defer(() => closeNow(client));
  // Until the connection is closed, no month of events is dropped, of which the snapshot would have only the day records.
  await client.query('select pg_advisory_lock_shared(4217734, 0)');
  await client.query('begin transaction isolation level repeatable read, read only');
  // The first statement takes the snapshot. now() is when the transaction began, so every write that was acknowledged before
  // this time is in the snapshot.
  const { rows } = await client.query<{ at: Date }>('select now() as at');
  return { client, takenAt: (rows[0] as { at: Date }).at };
}

/**
 * Keeps the directory of learners and contents from changing while the snapshots of two databases are taken, so that no row
 * of the second refers to a row that the first does not have.
 */
async function holdDirectory(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query(`set local lock_timeout = '5s'`);
  try {
    await client.query(
      'lock table brands, markets, learners, contents, learner_returns, directory_changes in share mode',
    );
  } catch (error) {
    throw new BackupError(
      `The directory of learners and contents could not be held still: ${(error as Error).message}. Try again.`,
      { cause: error },
    );
  }
}

/** Adds the tables of a schema to an archive, in bounded memory, and returns its part of the manifest. */
async function writeSchema(
  { writer, log, cancelled }: Attended & { readonly writer: ArchiveWriter },
  { client }: Snapshot,
  schema: 'public' | 'analytics',
): Promise<SchemaPart> {
  const { migrations } = await readHistory(client, schema);
  const stored = await listTables(client, schema);
  // Until the snapshot is closed, migrations cannot change the tables.
  await client.query(`set local lock_timeout = '30s'`);
  await client.query(`lock table ${stored.map(quotedName).join(', ')} in access share mode`);
  const tables: TablePart[] = [];
  for (const { schema, name, columns } of stored) {
    const source = streamRows(client, { schema, name, columns });
    await writer.addCompressed(memberOf({ schema, name }), source, cancelled);
    log('info', `${schema}.${name}: ${source.rowCount} rows`);
    tables.push({ schema, name, columns: [...columns], rows: source.rowCount });
  }
  return {
    migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
    tables,
    sequences: await listSequences(client, schema),
    event_months: schema === 'analytics' ? await listEventMonths(client) : [],
    queue_version: schema === 'public' ? await findQueueVersion(client) : null,
  };
}

/** Streams the rows of a table in PostgreSQL's text format, as the snapshot sees them; `rowCount` afterwards is their number. */
function streamRows(client: pg.Client, table: StoredTable): Readable & { readonly rowCount: number } {
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  // Jobs of the queue's own belong to the process that made them.
  const which = table.schema === 'pgboss' ? `where name not like '\\_\\_pgboss%'` : '';
  // A query, because a partitioned table cannot be copied by its name.
  return client.query(
    copyStreams.to(`copy (select ${columns} from ${quotedName(table)} ${which}) to stdout`),
  );
}

interface StoredTable {
  readonly schema: string;
  readonly name: string;
  /** Those that are stored, not computed, in order. */
  readonly columns: readonly string[];
}

/**
 * Lists the tables of a schema with their columns, in order of creation; of `public`, with the jobs of the queue. Not listed:
 * partitions, which are part of their table, tables of extensions, and the bookkeeping of migrations, which a restore writes.
 */
export async function listTables(client: pg.Client, schema: string): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition
       and (n.nspname = $1 and c.relname not in ('schema_migrations', 'schema_objects', 'schema_revision')
         or n.nspname = 'pgboss' and c.relname = 'job' and $1 = 'public')
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by n.nspname, c.relname, c.oid order by c.oid`,
    [schema],
  );
  return rows;
}

/** Lists the sequences that were used. Their values are current ones in any transaction, never behind its rows. */
async function listSequences(client: pg.Client, schema: string): Promise<SchemaPart['sequences']> {
  const { rows } = await client.query(
    `select s.schemaname::text as schema, s.sequencename::text as name, s.last_value::text as last_value
     from pg_sequences s
     where s.schemaname = $1 and s.last_value is not null
     order by s.sequencename`,
    [schema],
  );
  return rows;
}

async function listEventMonths(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select replace(right(c.relname, 7), '_', '-') as month
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass('analytics.learning_events') and c.relname ~ '^learning_events_\\d{4}_\\d\\d$'
     order by 1`,
  );
  return rows.map(({ month }) => month);
}

/** The version of the job queue's schema; null where there is none. */
export async function findQueueVersion(client: pg.Client): Promise<number | null> {
  const { rows: found } = await client.query(`select to_regclass('pgboss.version') is not null as exists`);
  if (!found[0].exists) return null;
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version');
  return rows[0]?.version ?? null;
}

/**
 * The options of connections that copy tables, without time limits: a table may take hours. Both ends use the same, so rows mean
 * the same on any version.
 */
export function copyConnectionOptions(address: DatabaseAddress, applicationName: string) {
  const config = withSettings(connectionOptions(address, applicationName), {
    client_encoding: 'UTF8',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  });
  return { ...config, session: { ...config.session, mayBeStandby: true } };
}

/** Closes a connection that may be in the middle of a table; what is not committed is rolled back. */
export async function closeNow(client: pg.Client): Promise<void> {
  const { stream } = (
    client as unknown as { connection: { stream: { destroy(): void; destroyed: boolean } } }
  ).connection;
  if (stream.destroyed) return;
  const closed = new Promise<void>((resolve) => client.once('end', resolve));
  stream.destroy();
  await closed;
}

export function quotedName({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `"${schema}"."${name}"`;
}
