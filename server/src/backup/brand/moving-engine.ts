import type pg from 'pg';
import { engineNames } from '../../analytics/store/coordination/engine-store.ts';
import type { Log } from '../../lib/log.ts';
import type { DatabaseAddress } from '../../postgres/connection-options.ts';
import { type BackedEngine, type FromArchive, findOwnEngine, type ToArchive } from '../backed-engine.ts';
import { BackupError } from '../backup-error.ts';
import type { EnginePart, Manifest } from '../manifest.ts';
import type { Snapshot } from '../snapshot-store.ts';

/** The PostgreSQL of an analytics store: its address, and a connection in the transaction of an import. */
export interface ImportInto {
  readonly address: DatabaseAddress;
  readonly client: pg.Client;
  readonly brandId: number;
}

/** An engine that keeps rows of brands outside of PostgreSQL, as moves between cells use it [D215]. */
export interface MovingEngine extends BackedEngine {
  /** Tables of the analytics schema that describe or had rows of the engine. They move empty. */
  readonly leftBehind: ReadonlySet<string>;
  /** Completes what has begun and does not move, such as erasures, before a closed brand is exported. */
  settle(client: pg.Client, brandId: number): Promise<void>;
  /** Adds a brand's rows that count. @throws BackupError if the engine does not return all rows */
  exportBrand(snapshot: Snapshot, brandId: number, to: ToArchive): Promise<EnginePart>;
  /**
   * Writes a brand's rows, has `addTables` fill PostgreSQL, and publishes the rows in the client's transaction. What a crash
   * leaves is never read, and is deleted later. `addTables` receives the signal that also ends a lost import.
   * @throws BackupError when a row is missing
   */
  importBrand(
    into: ImportInto,
    part: EnginePart,
    from: FromArchive,
    addTables: (cancelled: AbortSignal) => Promise<void>,
  ): Promise<{ readonly tables: number; readonly rows: number }>;
  /** Deletes a brand's rows and returns their number. @throws BackupError while a backup is being written */
  removeBrand(
    client: pg.Client,
    brandId: number,
    options: { readonly log: Log; readonly cancelled: AbortSignal },
  ): Promise<number>;
}

/**
 * Returns the engine with the events and datasets of the cell; null: they are in PostgreSQL.
 * @param client a connection to its analytics store
 * @throws BackupError if that is not what is configured
 */
export async function findCellEngine(
  client: pg.Client,
  engine: MovingEngine | null,
): Promise<MovingEngine | null> {
  const own = await findOwnEngine(client, engine);
  if (own === null && engine !== null)
    throw new BackupError(
      `The events of the analytics store are in PostgreSQL: unset ${engineNames.setting}, or move them with ` +
        '`brandport analytics copy`.',
    );
  return own;
}

/**
 * Checks that both cells have events in the same engine [D215].
 * @throws BackupError
 */
export function requireSameEngine({ [engineNames.part]: part }: Manifest, hasEngine: boolean): void {
  if (hasEngine === (part !== undefined)) return;
  throw new BackupError(
    hasEngine
      ? `The brand's cell has its events in PostgreSQL, this cell in ${engineNames.engine}. Open the brand there, move that ` +
          "cell's events with `brandport analytics copy`, and export the brand again. Nothing was written."
      : `The brand's cell has its events in ${engineNames.engine}, this cell in PostgreSQL. Move this cell's events with ` +
          '`brandport analytics copy`, and import the file again. Nothing was written.',
  );
}
