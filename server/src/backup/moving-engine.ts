import type pg from 'pg';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Attended, BackedEngine, FromArchive, ToArchive } from './backed-engine.ts';
import type { EnginePart } from './manifest.ts';
import type { Snapshot } from './snapshot-store.ts';

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
  settle(tx: Transaction, brandId: number): Promise<void>;
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
  removeBrand(client: pg.Client, brandId: number, options: Attended): Promise<number>;
}
