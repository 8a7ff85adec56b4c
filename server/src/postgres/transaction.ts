import type { Statement } from './statement.ts';

/** The initiator of a transaction's changes, for the audit. */
export interface Initiator {
  /** `admin-token` or another id of a caller; `brandport` for the server itself and its commands. */
  readonly actor: string;
  /** A name for people; absent or null if there is none. */
  readonly actorName?: string | null;
  /** The client's address; null if there is no client. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** Receives each audited change, before the commit. */
  readonly onChange?: (change: AuditedChange) => void;
}

/** An audited change, without its values. */
export interface AuditedChange {
  readonly action: string;
  readonly brandId: number | null;
  readonly resourceType: string;
  readonly resourceId: string;
}

/** An open transaction: all of its statements commit or roll back together. */
export interface Transaction {
  /** Absent where nothing is audited, and in work of the server itself. */
  readonly initiator?: Initiator | undefined;
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
