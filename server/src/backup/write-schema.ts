import { encryptedSuffix } from './archive/member-cipher.ts';
import type { ToArchive } from './backed-engine.ts';
import { BackupError } from './backup-error.ts';
import type { SchemaPart, TablePart } from './manifest.ts';
import type { StoredTable } from './queries/list-stored-objects.ts';
import { type Snapshot, type SnapshotObjects, streamRows } from './snapshot-store.ts';

/** A table, and which of its rows are written: SQL after its name. */
export interface WrittenTable extends StoredTable {
  readonly which: string;
}

/** Adds rows of a schema's tables to an archive, in bounded memory, and returns its part of the manifest. */
export async function writeSchema(
  { writer, log, cancelled }: ToArchive,
  snapshot: Snapshot,
  { migrations, revision, sequences, eventMonths, queueVersion }: SnapshotObjects,
  written: readonly WrittenTable[],
): Promise<SchemaPart> {
  const tables: TablePart[] = [];
  for (const { which, ...table } of written) {
    const { schema, name, columns } = table;
    const member = `${schema}.${name}.copy.zst`;
    if (member.length > 100 - encryptedSuffix.length)
      throw new BackupError(`The name of ${schema}.${name} is too long.`);
    const measure = await writer.addCompressed(member, streamRows(snapshot, table, which), cancelled);
    log('info', `${schema}.${name}: ${measure.rows} rows, ${measure.bytes} bytes`);
    tables.push({ schema, name, columns: [...columns], member, ...measure });
  }
  return {
    snapshot_at: snapshot.takenAt.toISOString(),
    postgres: snapshot.postgres,
    migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
    revision,
    tables,
    sequences: [...sequences],
    event_months: [...eventMonths],
    queue_version: queueVersion,
  };
}
