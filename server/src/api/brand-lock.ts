import type { Transaction } from '../postgres/transaction.ts';

/** A transaction that is about one brand. */
export interface InBrand {
  readonly tx: Transaction;
  readonly brandId: number;
}

/** The row of a brand that its writes lock: that of its catalog, or that of its stock. */
export interface BrandLock<L> {
  readonly name: string;
  /** True: handlers of requests with a subject only decide, and `finish` writes. Without it, they queue what they write. */
  readonly writesAtEnd?: true;
  /** Locks the row of a brand until the transaction ends; waits for other transactions. */
  readonly take: (tx: Transaction, brandId: number) => Promise<L>;
  /**
   * Locks the rows that no other transaction has locked, and returns the locks by brand. Neither it nor a later statement of the
   * transaction waits long for a lock.
   */
  readonly takeFree: (tx: Transaction, brandIds: readonly number[]) => Promise<ReadonlyMap<number, L>>;
  /** Queues what the changes under the locks of a turn add up to. Called once, after the last handler. */
  readonly finish: (locks: readonly L[]) => void;
}
