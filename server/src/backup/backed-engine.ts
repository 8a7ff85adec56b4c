import type pg from 'pg';
import { engineNames, findEngineStore } from '../analytics/store/coordination/engine-store.ts';
import type { Log } from '../lib/log.ts';
import { transactionOf } from '../postgres/client-transaction.ts';
import type { ArchiveReader } from './archive/archive-reader.ts';
import type { ArchiveWriter } from './archive/archive-writer.ts';
import { BackupError } from './backup-error.ts';
import type { EnginePart } from './manifest.ts';
import type { Snapshot } from './snapshot-store.ts';

/** The log of long work, and the signal that ends it. */
export interface Attended {
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

export interface ToArchive extends Attended {
  readonly writer: ArchiveWriter;
}

export interface FromArchive extends Attended {
  readonly reader: ArchiveReader;
}

/** An engine that keeps the events and datasets of an analytics store outside of PostgreSQL, as backups use it. */
export interface BackedEngine {
  /** An advisory lock: while a session holds it, no row is deleted that its snapshot refers to [D205]. */
  readonly deletionLock: readonly [number, number];
  /** @throws BackupError unless its database is the one with the id */
  requireStore(storeId: string): Promise<void>;
  /** Adds the rows that count in PostgreSQL's snapshot, in bounded memory. @throws BackupError if some are missing */
  snapshot(snapshot: Snapshot, to: ToArchive): Promise<EnginePart>;
  /** Creates the tables in a database that is empty or was left by a restore. @throws BackupError for any other */
  openEmpty(): Promise<void>;
  /**
   * Fills the tables, and gives the database and the restored PostgreSQL, in the transaction of `client`, a common new id.
   * Returns the number of rows.
   * @throws BackupError when the archive is damaged or a row is missing
   */
  restore(client: pg.Client, part: EnginePart, from: FromArchive): Promise<number>;
  /** Removes what a failed restore has written. */
  discard(): Promise<void>;
}

/**
 * Returns the engine with the rows of a store; null: they are in PostgreSQL.
 * @param client a connection to the store's PostgreSQL
 * @throws BackupError if the rows are in an engine that is not the given one
 */
export async function findOwnEngine<Engine extends BackedEngine>(
  client: pg.Client,
  engine: Engine | null,
): Promise<Engine | null> {
  const storeId = await findEngineStore(transactionOf(client));
  if (storeId === null) return null;
  if (engine === null)
    throw new BackupError(
      `The events of the analytics store are in ${engineNames.engine}: set ${engineNames.setting}.`,
    );
  await engine.requireStore(storeId);
  return engine;
}
