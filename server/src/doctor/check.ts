import type { Database } from '../postgres/database.ts';
import type { CatalogTransaction } from '../postgres/transaction.ts';
import type { Scan } from './queries/find-batch-end.ts';

/** A row of a check's statement: a difference, and the key of the row that it is in. */
export interface DifferenceRow {
  /** The scanned table's key as text; what `repair` is handed. */
  readonly key: string;
  readonly id: string;
  readonly field: string;
  readonly stored: string | null;
  readonly actual: string | null;
  readonly is_repairable: boolean;
}

/** The rows with a key above `after`, up to and with `upTo`. */
export interface Batch {
  readonly after: string;
  readonly upTo: string;
}

/**
 * One kind of derived figure. Every transaction leaves what is derived and what it follows from in agreement, and one
 * statement sees the database as it is between transactions: so `find` needs no lock, and what it finds while the
 * server is at work is no false alarm.
 */
export interface Check {
  readonly name: string;
  /** The table that is gone through, batch by batch. */
  readonly scan: Scan;
  /** Asks for what differs in a batch of one brand. */
  find(database: Database, brandId: number, batch: Batch): Promise<DifferenceRow[]>;
  /**
   * Recomputes the rows with these keys, under the locks that their writers take. Absent if no finding of the
   * check can be repaired.
   */
  repair?(tx: CatalogTransaction, brandId: number, keys: readonly string[]): Promise<void>;
}
