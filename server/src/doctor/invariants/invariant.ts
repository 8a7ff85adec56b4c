import type { Transaction } from '../../postgres/transaction.ts';
import type { Scan } from './scan.ts';

/** An invariant across rows of the databases, beyond the constraints on single rows. */
export interface Invariant {
  /** The name of the check, also in reports. */
  readonly id: string;
  readonly tables: readonly string[];
  /** A sentence. */
  readonly holds: string;
  /** The effect of `--repair`; null: none, because both sides may be wrong. */
  readonly repair: string | null;
}

/**
 * An invariant of a brand's rows in the main database. Every transaction leaves derived values consistent with their sources, and
 * one statement sees the database between transactions: its queries need no lock.
 */
export interface MainInvariant extends Invariant {
  readonly finds: readonly Find[];
  /** Absent if `repair` is null. */
  readonly rewrite?: Rewrite;
}

/** Recomputes the rows with these keys, under the locks that their writers take. */
export type Rewrite = (tx: Transaction, brandId: number, keys: readonly string[]) => Promise<void>;

export interface Find {
  /** The table that is scanned in batches. */
  readonly scan: Scan;
  /** Selects `DifferenceRow`s of the brand `$1`, keys above `$2` up to and including `$3`; brand rows have no keys. */
  readonly sql: string;
}

export interface DifferenceRow {
  /** The scanned table's key as a string; passed to `rewrite`. */
  readonly key: string;
  readonly id: string;
  readonly field: string;
  readonly stored: string | null;
  readonly actual: string | null;
  readonly is_repairable: boolean;
}
