import type { AuditedTransaction, Initiator, Transaction } from '../postgres/transaction.ts';
import type { CallerAccess, OperationAccess } from './access.ts';

/** The additional fields of operations whose callers are audited. */
interface AuditedRequest {
  /** For transactions that the handler opens itself. */
  readonly initiator: Initiator;
}

/** The request of an operation with this access: on the internal surface it says who makes the changes [internal-54]. */
export type RequestOf<A extends OperationAccess, Request> = A extends CallerAccess
  ? Request & AuditedRequest
  : Request;

/** The transaction of a write with this access. */
export type TransactionOf<A extends OperationAccess> = A extends CallerAccess
  ? AuditedTransaction
  : Transaction;
