import type pg from 'pg';
import { engineNames, findEngineStore } from '../analytics/store/engine-store.ts';
import { transactionOf } from '../postgres/client-transaction.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema, type SchemaLine } from '../postgres/schema/schema-line.ts';
import { type CheckedBackup, requireArrived, requireMeasure } from './check-backup.ts';
import { closeNow } from './copy-connection.ts';
import type { Attended } from './create-backup.ts';
import type { SchemaPart, TablePart } from './manifest.ts';
import { findQueueVersion } from './queries/list-stored-objects.ts';
import {
  createTables,
  matchTables,
  openEmptyDatabase,
  rowsInto,
  setSequences,
  takeJobs,
  withoutForeignKeys,
} from './restore-store.ts';

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
 * Fills empty databases from a backup and brings them to the schema of this version. The rows of a database come in one
 * transaction: after a failure or a crash it is empty as before. With two databases, analytics are committed first.
 * @throws BackupError, MigrationError, what PostgreSQL reports, or the reason of `cancelled`
 */
export async function restoreBackup(
  { reader, manifest }: CheckedBackup,
  target: RestoreTarget,
  options: Attended,
): Promise<RestoreSummary> {
  const separate = target.analytics === null || target.analytics === 'none' ? null : target.analytics;
  const main = await openEmptyDatabase(target.main, 'The database');
  let analytics = main;
  try {
    if (separate !== null) analytics = await openEmptyDatabase(separate, 'The analytics store');
    if (manifest.main.queue_version !== null) await target.prepareQueue();
    const parts: Part[] = [{ client: main, line: mainSchema, part: manifest.main }];
    if (target.analytics !== 'none')
      parts.push({ client: analytics, line: analyticsSchema, part: manifest.analytics });
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
  } finally {
    for (const client of new Set([analytics, main])) await closeNow(client);
  }
}

/** Runs the migrations that the backup did not have yet, and creates views and routines. */
export async function finishSchema(target: Pick<RestoreTarget, 'main' | 'analytics'>): Promise<void> {
  await migrate(target.main, mainSchema);
  if (target.analytics !== 'none') await migrate(target.analytics ?? target.main, analyticsSchema);
}

interface Part {
  readonly client: pg.Client;
  readonly line: SchemaLine;
  readonly part: SchemaPart;
}

/** Creates and fills the tables of a schema, in the client's transaction. */
async function fill(
  { client, line, part }: Part,
  reader: CheckedBackup['reader'],
  summary: { tables: number; rows: number; leftOut: string[] },
  { log, cancelled }: Attended,
): Promise<void> {
  await createTables(client, line, part);
  const addForeignKeys = await withoutForeignKeys(client, line.schema);
  const { known, unknown } = await matchTables(client, part, line.schema);
  for (const name of unknown) summary.leftOut.push(`${name}: it is not a table of Brandport`);
  for (const table of known) {
    // [D113]
    if (table.schema === 'pgboss' && part.queue_version !== (await findQueueVersion(client))) {
      summary.leftOut.push(
        `${table.rows} jobs: they are of version ${part.queue_version} of the job queue. Feeds continue without them; ` +
          'request long aggregations again',
      );
      continue;
    }
    const copy = async (to: TablePart) => {
      const target = rowsInto(client, to);
      requireMeasure(table, await reader.copyTo(table.member, target, cancelled));
      requireArrived(table, target.rowCount);
    };
    if (table.schema === 'pgboss') {
      const withdrawn = await takeJobs(client, table, copy);
      if (withdrawn > 0) summary.leftOut.push(`${withdrawn} jobs: this version does not have their kinds`);
    } else await copy(table);
    log('info', `${table.schema}.${table.name}: ${table.rows} rows`);
    summary.tables += 1;
    summary.rows += table.rows;
  }
  await setSequences(client, part);
  await addForeignKeys();
}
