import type pg from 'pg';
import { engineNames } from '../analytics/store/coordination/engine-store.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema, type SchemaLine } from '../postgres/schema/schema-line.ts';
import type { Attended, BackedEngine } from './backed-engine.ts';
import { BackupError } from './backup-error.ts';
import { type CheckedBackup, requireArrived, requireMeasure } from './check-backup.ts';
import { closeNow } from './copy-connection.ts';
import type { Manifest, SchemaPart, TablePart } from './manifest.ts';
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
  /** With an empty database, for a backup that has rows of an engine; default: none. */
  readonly engine?: BackedEngine | null;
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
 * transaction: after a failure or a crash it is empty as before. With two databases, analytics are committed first. An engine is
 * filled before; after a failure it is emptied again, and after a crash by the next restore.
 * @throws BackupError, MigrationError, what PostgreSQL reports, or the reason of `cancelled`
 */
export async function restoreBackup(
  { reader, manifest }: CheckedBackup,
  target: RestoreTarget,
  options: Attended,
): Promise<RestoreSummary> {
  const separate = target.analytics === null || target.analytics === 'none' ? null : target.analytics;
  const engine = target.analytics === 'none' ? null : requireEngine(manifest, target.engine ?? null);
  const main = await openEmptyDatabase(target.main, 'The database');
  let analytics = main;
  let toDiscard: BackedEngine | null = null;
  try {
    if (separate !== null) analytics = await openEmptyDatabase(separate, 'The analytics store');
    if (engine !== null) {
      await engine.openEmpty();
      toDiscard = engine;
    }
    if (manifest.main.queue_version !== null) await target.prepareQueue();
    const parts: Part[] = [{ client: main, line: mainSchema, part: manifest.main }];
    if (target.analytics !== 'none')
      parts.push({ client: analytics, line: analyticsSchema, part: manifest.analytics });
    const clients = [...new Set([analytics, main])];
    for (const client of clients) await client.query('begin');
    const summary = { tables: 0, rows: 0, leftOut: [] as string[] };
    for (const schema of parts) await fill(schema, reader, summary, options);
    const { [engineNames.part]: part } = manifest;
    if (engine !== null && part !== undefined) {
      summary.tables += new Set(part.tables.map(({ name }) => name)).size;
      summary.rows += await engine.restore(analytics, part, { reader, ...options });
    }
    for (const client of clients) await client.query('commit');
    toDiscard = null;
    // The planner's statistics: the first queries come before autovacuum.
    for (const client of clients) await client.query('analyze');
    return summary;
  } finally {
    // An engine has no transaction. If it is unavailable now, the next restore removes the rows.
    await toDiscard?.discard().catch(() => {});
    for (const client of new Set([analytics, main])) await closeNow(client);
  }
}

/** @throws BackupError when the backup has rows of an engine and no database to put them */
function requireEngine(
  { [engineNames.part]: part }: Manifest,
  engine: BackedEngine | null,
): BackedEngine | null {
  if (part === undefined) return null;
  if (engine === null)
    throw new BackupError(
      `The backup has events and datasets of ${engineNames.engine}: for \`brandport restore\`, set ${engineNames.setting} to an ` +
        'empty database. Nothing was written.',
    );
  return engine;
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
