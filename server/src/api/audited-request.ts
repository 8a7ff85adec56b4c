import type { AuditedTransaction, Initiator, Transaction } from '../postgres/transaction.ts';
import type { CallerAccess, OperationAccess } from './access.ts';
import type { Reply, WriteOutcome } from './reply.ts';

interface AuditedRequest {
  /** For transactions that the handler opens itself. */
  readonly initiator: Initiator;
}

export interface CommittingRequest<R extends Reply> {
  /**
   * Runs work of a brand in the request's only transaction, and again from the start after a deadlock. Nothing runs if another
   * request has used the Idempotency-Key meanwhile: its response is returned.
   */
  readonly commit: (brandId: number, work: (tx: AuditedTransaction) => Promise<R>) => Promise<WriteOutcome>;
}

/** The request of an operation with this access: on the internal surface it says who makes the changes [internal-54]. */
export type RequestOf<A extends OperationAccess, Request> = A extends CallerAccess
  ? Request & AuditedRequest
  : Request;

/** The transaction of a write with this access. */
export type TransactionOf<A extends OperationAccess> = A extends CallerAccess
  ? AuditedTransaction
  : Transaction;
