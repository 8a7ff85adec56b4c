import type { Statement } from './statement.ts';

/** An open transaction: everything run on it commits or rolls back together. */
export interface Transaction {
  /** Runs a statement and answers its rows. */
  run<Row>(statement: Statement<Row>): Promise<Row[]>;
  /**
   * Runs a statement whose rows nobody needs. It goes to the database together with the next one, if that comes within
   * this turn of the event loop, which saves a round trip. Its failure comes from there.
   */
  send(statement: Statement<unknown>): void;
}

/**
 * An open transaction that had its brand's turn before it took a connection. Only such a one may take the brand's catalog
 * lock, so no change of a catalog can wait for it with a connection in its hands [D69].
 */
export interface CatalogTransaction extends Transaction {
  /** The brand whose turn it has. */
  readonly catalogOf: number;
}
