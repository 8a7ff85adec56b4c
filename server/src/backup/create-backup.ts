import { engineNames } from '../analytics/store/coordination/engine-store.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { ArchiveWriter } from './archive/archive-writer.ts';
import { encryptedSuffix } from './archive/member-cipher.ts';
import { type BackedEngine, findOwnEngine } from './backed-engine.ts';
import { BackupError } from './backup-error.ts';
import { addManifest, type Manifest, type SchemaPart, type TablePart } from './manifest.ts';
import {
  closeSnapshot,
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
  /** The engine with the events and datasets; default: they are in PostgreSQL. `'none'`: leaves out what an engine has. */
  readonly engine?: BackedEngine | null | 'none';
}

export interface BackupOptions {
  /** The version of Brandport, for the manifest. */
  readonly version: string;
  readonly log: Log;
  readonly cancelled: AbortSignal;
  /** Encrypts the file; default: it is not encrypted. */
  readonly key?: Buffer | undefined;
}

export interface BackupSummary {
  readonly manifest: Omit<Manifest, 'format'>;
  /** The size of the file. */
  readonly bytes: number;
}

/**
 * Writes all tables, as one snapshot sees them, to a new file [D115], while the databases are in use. An analytics store of its
 * own has its own snapshot; what its engine has is not deleted until the backup is done [D205]. The file is
 * complete and flushed to the disk when this returns; otherwise there is none.
 * @throws BackupError, what PostgreSQL reports, or the reason of `cancelled`
 */
export async function createBackup(
  source: BackupSource,
  file: string,
  options: BackupOptions,
): Promise<BackupSummary> {
  const writer = await ArchiveWriter.create(file, options.key);
  try {
    const snapshots = await openSnapshots(source);
    try {
      return await writeBackup(writer, snapshots, source.engine ?? null, options);
    } finally {
      for (const snapshot of new Set([snapshots.main, snapshots.analytics])) closeSnapshot(snapshot);
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

async function openSnapshots({ main, analytics, engine = null }: BackupSource): Promise<Snapshots> {
  const deletionLock = engine === null || engine === 'none' ? null : engine.deletionLock;
  if (analytics === null) {
    const both = await openSnapshot(main, deletionLock);
    return { main: both, analytics: both };
  }
  return withQuietDirectory(main, async () => {
    const [first, second] = await Promise.allSettled([
      openSnapshot(main),
      openSnapshot(analytics, deletionLock),
    ]);
    if (first.status === 'fulfilled' && second.status === 'fulfilled')
      return { main: first.value, analytics: second.value };
    for (const outcome of [first, second]) if (outcome.status === 'fulfilled') closeSnapshot(outcome.value);
    const [failed] = [first, second].filter((outcome) => outcome.status === 'rejected');
    throw failed?.reason;
  });
}

async function writeBackup(
  writer: ArchiveWriter,
  { main, analytics }: Snapshots,
  engine: BackedEngine | null | 'none',
  { version, log, cancelled }: BackupOptions,
): Promise<BackupSummary> {
  const parts: SchemaPart[] = [];
  for (const [snapshot, schema] of [
    [main, 'public'],
    [analytics, 'analytics'],
  ] as const)
    parts.push(await writeSchema(writer, snapshot, schema, { log, cancelled }));
  const [mainPart, analyticsPart] = parts as [SchemaPart, SchemaPart];
  const own = engine === 'none' ? null : await findOwnEngine(analytics.client, engine);
  const rows = (await own?.snapshot(analytics, { writer, log, cancelled })) ?? null;
  const milliseconds = Math.ceil(Math.abs(main.openedAt - analytics.openedAt));
  const manifest = {
    brandport: version,
    created_at: main.takenAt.toISOString(),
    seam: main === analytics ? ('one_snapshot' as const) : { milliseconds },
    main: mainPart,
    analytics: analyticsPart,
    ...(rows !== null && { [engineNames.part]: rows }),
  };
  await addManifest(writer, manifest);
  return { manifest, bytes: await writer.finish() };
}

async function writeSchema(
  writer: ArchiveWriter,
  snapshot: Snapshot,
  schema: 'public' | 'analytics',
  { log, cancelled }: { log: Log; cancelled: AbortSignal },
): Promise<SchemaPart> {
  const objects = await readSnapshotObjects(snapshot, schema);
  const tables: TablePart[] = [];
  for (const table of objects.tables) {
    const member = `${table.schema}.${table.name}.copy.zst`;
    if (member.length > 100 - encryptedSuffix.length)
      throw new BackupError(`The name of ${table.schema}.${table.name} is too long.`);
    const measure = await writer.addCompressed(member, streamRows(snapshot, table), cancelled);
    log('info', `${table.schema}.${table.name}: ${measure.rows} rows, ${measure.bytes} bytes`);
    tables.push({ ...table, columns: [...table.columns], member, ...measure });
  }
  return {
    snapshot_at: snapshot.takenAt.toISOString(),
    postgres: snapshot.postgres,
    migrations: objects.migrations.map(({ name, checksum }) => ({ name, checksum })),
    revision: objects.revision,
    tables,
    sequences: objects.sequences,
    event_months: [...objects.eventMonths],
    queue_version: objects.queueVersion,
  };
}
