import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { ArchiveWriter } from './archive/archive-writer.ts';
import { BackupError } from './backup-error.ts';
import { closeNow } from './copy-connection.ts';
import { addManifest, type Manifest, type SchemaPart, type TablePart } from './manifest.ts';
import {
  openSnapshot,
  readSnapshotObjects,
  type Snapshot,
  streamRows,
  withQuietDirectory,
} from './snapshot-store.ts';

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

export interface BackupOptions extends Attended {
  /** The version of Brandport, for the manifest. */
  readonly version: string;
}

export interface BackupSummary {
  readonly manifest: Omit<Manifest, 'format'>;
  readonly bytes: number;
}

/**
 * Writes all tables, as one snapshot sees them, to a new file [D115], while the databases are in use. An analytics store of its
 * own has its own snapshot; rows in an engine are left out [D205]. The file is complete and flushed to the disk when this
 * returns; otherwise there is none.
 * @throws BackupError, what PostgreSQL reports, or the reason of `cancelled`
 */
export async function createBackup(
  source: BackupSource,
  file: string,
  options: BackupOptions,
): Promise<BackupSummary> {
  const writer = await ArchiveWriter.create(file);
  try {
    const snapshots = await openSnapshots(source);
    try {
      return await writeBackup(writer, snapshots, options);
    } finally {
      for (const { client } of new Set([snapshots.main, snapshots.analytics])) await closeNow(client);
    }
  } finally {
    await writer.discard();
  }
}

interface Snapshots {
  readonly main: Snapshot;
  /** The same one if both are in one database. */
  readonly analytics: Snapshot;
}

async function openSnapshots({ main, analytics }: BackupSource): Promise<Snapshots> {
  if (analytics === null) {
    const both = await openSnapshot(main);
    return { main: both, analytics: both };
  }
  return withQuietDirectory(main, async () => {
    const [first, second] = await Promise.allSettled([openSnapshot(main), openSnapshot(analytics)]);
    if (first.status === 'fulfilled' && second.status === 'fulfilled')
      return { main: first.value, analytics: second.value };
    for (const outcome of [first, second])
      if (outcome.status === 'fulfilled') await closeNow(outcome.value.client);
    const [failed] = [first, second].filter((outcome) => outcome.status === 'rejected');
    throw failed?.reason;
  });
}

async function writeBackup(
  writer: ArchiveWriter,
  { main, analytics }: Snapshots,
  { version, log, cancelled }: BackupOptions,
): Promise<BackupSummary> {
  const to = { writer, log, cancelled };
  const mainPart = await writeSchema(to, main, 'public');
  const analyticsPart = await writeSchema(to, analytics, 'analytics');
  const milliseconds = Math.ceil(Math.abs(main.openedAt - analytics.openedAt));
  const manifest = {
    brandport: version,
    created_at: main.takenAt.toISOString(),
    seam: main === analytics ? ('one_snapshot' as const) : { milliseconds },
    main: mainPart,
    analytics: analyticsPart,
  };
  await addManifest(writer, manifest);
  return { manifest, bytes: await writer.finish() };
}

/** Adds the tables of a schema to an archive, in bounded memory, and returns its part of the manifest. */
async function writeSchema(
  { writer, log, cancelled }: Attended & { readonly writer: ArchiveWriter },
  snapshot: Snapshot,
  schema: 'public' | 'analytics',
): Promise<SchemaPart> {
  const objects = await readSnapshotObjects(snapshot, schema);
  const tables: TablePart[] = [];
  for (const table of objects.tables) {
    const name = `${table.schema}.${table.name}`;
    const member = `${name}.copy.zst`;
    if (member.length > 100) throw new BackupError(`The name of ${name} is too long.`);
    const measure = await writer.addCompressed(member, streamRows(snapshot, table), cancelled);
    log('info', `${name}: ${measure.rows} rows, ${measure.bytes} bytes`);
    tables.push({ ...table, columns: [...table.columns], member, ...measure });
  }
  return {
    snapshot_at: snapshot.takenAt.toISOString(),
    postgres: snapshot.postgres,
    migrations: objects.migrations.map(({ name, checksum }) => ({ name, checksum })),
    revision: objects.revision,
    tables,
    sequences: [...objects.sequences],
    event_months: [...objects.eventMonths],
    queue_version: objects.queueVersion,
  };
}
