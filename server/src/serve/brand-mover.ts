import type { Attended } from '../backup/backed-engine.ts';
import type { MovingEngine } from '../backup/moving-engine.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';

export interface CellAddresses {
  readonly main: DatabaseAddress;
  /** null: in the main database. */
  readonly analytics: DatabaseAddress | null;
  /** The engine of the analytics store; default: its events are in PostgreSQL. */
  readonly engine?: MovingEngine | null;
}

export interface MoveOptions extends Attended {
  /** The version of Brandport, for the manifest. */
  readonly version: string;
}

export interface ExportedBrand {
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
}

export interface ImportedBrand {
  readonly brandId: number;
  readonly name: string;
  readonly tables: number;
  readonly rows: number;
}

/** An extension that moves brands from cell to cell, a method for each command. All may reject with BackupError. */
export interface BrandMover {
  close(cell: CellAddresses, brandId: number): Promise<string>;
  open(cell: CellAddresses, brandId: number, abandonsExport: boolean): Promise<void>;
  exportTo(cell: CellAddresses, brandId: number, file: string, options: MoveOptions): Promise<ExportedBrand>;
  /** Checks the file before anything is written. */
  importFrom(cell: CellAddresses, file: string, options: MoveOptions): Promise<ImportedBrand>;
  remove(cell: CellAddresses, brandId: number, options: MoveOptions): Promise<number>;
  /** Lists the names under which a proxy's map finds the keys of a brand; null: of all. */
  listKeys(cell: CellAddresses, brandId: number | null): Promise<string[]>;
}
