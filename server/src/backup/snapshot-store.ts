import type { Readable } from 'node:stream';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { readHistory } from '../postgres/schema/schema-history.ts';
import { openConnection } from '../postgres/sessions/session-client.ts';
import { BackupError } from './backup-error.ts';
import { copyConnectionOptions, quotedName } from './copy-connection.ts';
import {
  findQueueVersion,
  listEventMonths,
  listSequences,
  listTables,
  type StoredTable,
} from './queries/list-stored-objects.ts';

/** Time to wait for a table that a migration has locked. */
const lockLimit = '30s';

/** An open transaction that sees one state of the database while others write. */
export interface Snapshot {
  readonly client: pg.Client;
  /** Monotonic milliseconds. */
  readonly openedAt: number;
  readonly takenAt: Date;
  readonly postgres: string;
}

/** Opens a snapshot; the end of its connection ends it. It waits for no writer, and none waits for it. */
export async function openSnapshot(address: DatabaseAddress): Promise<Snapshot> {
  const client = await openConnection(copyConnectionOptions(address, 'brandport-backup'));
  try {
    // Until the connection is closed, no month of events is dropped, of which the snapshot would have only the day records.
    await client.query('select pg_advisory_lock_shared(4217734, 0)');
    await client.query('begin transaction isolation level repeatable read, read only');
    // The first statement takes the snapshot. now() is when the transaction began, so every write that was acknowledged before
    // this time is in the snapshot.
    const { rows } = await client.query(`select now() as at, current_setting('server_version') as version`);
    const openedAt = performance.now();
    return { client, openedAt, takenAt: rows[0].at, postgres: rows[0].version };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Keeps the directory of learners and contents from changing while `work` takes the snapshots of two databases, so that no row
 * of the second refers to a row that the first does not have.
 * @throws BackupError when a writer does not finish in time
 */
export async function withQuietDirectory<T>(address: DatabaseAddress, work: () => Promise<T>): Promise<T> {
  const client = await openConnection(copyConnectionOptions(address, 'brandport-backup'));
  try {
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
    return await work();
  } finally {
    // Ends the transaction, which wrote nothing.
    await client.end();
  }
}

export interface SnapshotObjects {
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  readonly revision: number;
  readonly tables: readonly StoredTable[];
  readonly sequences: Awaited<ReturnType<typeof listSequences>>;
  readonly eventMonths: readonly string[];
  readonly queueVersion: number | null;
}

/** Lists what a schema holds, and keeps migrations from changing its tables until the snapshot is closed. */
export async function readSnapshotObjects(
  { client }: Snapshot,
  schema: 'public' | 'analytics',
): Promise<SnapshotObjects> {
  const { migrations, revision } = await readHistory(client, schema);
  const tables = await listTables(client, [schema]);
  await client.query(`set local lock_timeout = '${lockLimit}'`);
  await client.query(`lock table ${tables.map(quotedName).join(', ')} in access share mode`);
  return {
    migrations,
    revision,
    tables,
    sequences: await listSequences(client, schema),
    eventMonths: schema === 'analytics' ? await listEventMonths(client) : [],
    queueVersion: schema === 'public' ? await findQueueVersion(client) : null,
  };
}

/** Streams the rows of a table in PostgreSQL's text format, as the snapshot sees them. */
export function streamRows({ client }: Snapshot, table: StoredTable): Readable {
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  // Jobs of the queue's own belong to the process that made them.
  const which = table.schema === 'pgboss' ? `where name not like '\\_\\_pgboss%'` : '';
  // A query, because a partitioned table cannot be copied by its name.
  return client.query(
    copyStreams.to(`copy (select ${columns} from ${quotedName(table)} ${which}) to stdout`),
  );
}
