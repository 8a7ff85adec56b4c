import type { Database } from '../postgres/database.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Scan } from './queries/find-batch-end.ts';

/** A row that a check's statement returns: a difference, and the key of the row that has it. */
export interface DifferenceRow {
  /** The scanned table's key as a string; passed to `repair`. */
  readonly key: string;
  readonly id: string;
  readonly field: string;
  readonly stored: string | null;
  readonly actual: string | null;
  readonly is_repairable: boolean;
}

/** The rows with a key above `after`, up to and including `upTo`. */
export interface Batch {
  readonly after: string;
  readonly upTo: string;
}

/**
 * A check of one kind of derived value. Every transaction leaves derived values consistent with their sources, and one
 * statement sees the database between transactions: `find` needs no lock, and has no false alarms while the server is
 * running.
 */
export interface Check {
  readonly name: string;
  /** The table that is scanned in batches. */
  readonly scan: Scan;
  /** Returns the differences in a batch of one brand. */
  find(database: Database, brandId: number, batch: Batch): Promise<DifferenceRow[]>;
  /**
   * Recomputes the rows with these keys, under the locks that their writers take. Absent if no finding of the
   * check can be repaired.
   */
  repair?(tx: Transaction, brandId: number, keys: readonly string[]): Promise<void>;
}
