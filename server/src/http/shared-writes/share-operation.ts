import type { IdempotentOutcome, KeyedRequest } from '../../access/idempotency/run-idempotent.ts';
import { runIdempotentTogether } from '../../access/idempotency/run-idempotent-together.ts';
import type { OperationRequest, ServiceContext, WriteOperation } from '../../api/operation.ts';
import { mapReplies } from '../../api/shared-handling.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { waitLimits } from '../../postgres/connection-options.ts';
import { settle } from '../execute-operation.ts';
import type { Metrics } from '../metrics.ts';
import { SharedTransactions } from './shared-transactions.ts';

/** A request with its Idempotency-Key. */
export interface SharedWrite {
  readonly request: OperationRequest<never, never, never>;
  readonly keyed: KeyedRequest;
}

/** The shared transactions of one operation in this process. */
export type OperationSharing = SharedTransactions<SharedWrite, IdempotentOutcome | ApiError>;

/**
 * Returns the shared transactions of an operation, null if it has none. A transaction that fails is not repeated: its
 * requests are run alone, with the retries of `Database.transaction`. All of an operation's shared transactions count as
 * one share of the connections.
 */
export function shareOperation<Context extends ServiceContext>(
  { id, shared }: WriteOperation<Context>,
  context: Context,
  metrics: Metrics,
): OperationSharing | null {
  if (shared === undefined) return null;
  const { clock } = context;
  const connections = context.database.forShare(id);
  const run = (writes: readonly SharedWrite[], onDecided: () => void) =>
    connections.transaction(
      async (tx) => {
        const keyed = writes.map((write) => write.keyed);
        const requests = writes.map(({ request }) => request);
        const results = await runIdempotentTogether(tx, clock, keyed, async () => {
          return mapReplies(await shared.handle(tx, requests, context), settle);
        });
        onDecided();
        return results;
      },
      { attempts: 1 },
    );
  return new SharedTransactions({
    maxRequests: shared.maxRequests,
    limitMs: waitLimits.connect,
    run,
    onRun: (requests) => metrics.sharedTransaction(id, requests),
    onFailed: () => metrics.transactionRetried(),
  });
}
