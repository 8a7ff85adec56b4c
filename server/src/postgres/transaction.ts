import type { Statement } from './statement.ts';

/** The initiator of a transaction's changes, for the audit. */
export interface Initiator {
  /** `admin-token` or another id of a caller; for a command or a job its name, see `serverInitiator`. */
  readonly actor: string;
  /** A name for people; absent or null if there is none. */
  readonly actorName?: string | null;
  /** The client's address; null if there is no client. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** Receives each audited change, before the commit. */
  readonly onChange?: (change: AuditedChange) => void;
}

/** The initiator of changes without a request; `name`: the command without its arguments, or `job ` and the queue. */
export function serverInitiator(name: `brandport ${string}` | `job ${string}`): Initiator {
  return { actor: name, address: null, requestId: null };
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
  run<Row>(statement: Statement<Row>): Promise<Row[]>;
  /**
   * Queues a statement whose rows nobody needs. It is sent with the next one, or at the end of this turn of the event loop, which
   * saves a round trip. If it fails, the next awaited statement rejects.
   */
  queue(statement: Statement<unknown>): void;
}

/** An open transaction that can write audit entries, because it knows who makes its changes [internal-54]. */
export interface AuditedTransaction extends Transaction {
  readonly initiator: Initiator;
}

/** The first numbers of two-key advisory locks; the second is the brand. Each is used for one purpose [D157]. */
export const advisoryLocks = { feeds: 4_217_733, datasets: 4_217_734, events: 4_217_735 } as const;
