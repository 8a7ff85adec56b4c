import type { Statement } from './statement.ts';

/** An open transaction: all of its statements commit or roll back together. */
export interface Transaction {
  /** Runs a statement and returns its rows. */
  run<Row>(statement: Statement<Row>): Promise<Row[]>;
  /**
   * Queues a statement whose rows nobody needs, without waiting for it. It is sent with the next one, or at the end of this
   * turn of the event loop, which saves a round trip. If it fails, the next awaited statement rejects.
   */
  queue(statement: Statement<unknown>): void;
}

/**
 * An open transaction that had its brand's turn before it took a connection. Only such a transaction can take the brand's
 * catalog lock, so no change of a catalog waits for that lock while it occupies a connection [D69].
 */
export interface CatalogTransaction extends Transaction {
  /** The brand whose turn the transaction has. */
  readonly catalogOf: number;
}
