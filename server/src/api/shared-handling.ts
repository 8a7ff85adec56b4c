import { ApiError } from '../errors/api-error.ts';
import type { Transaction } from '../postgres/transaction.ts';

/**
 * The result of one request in a shared transaction: its reply; its refusal; or `alone`, if deciding it would have
 * meant waiting for another transaction. Only a reply may have written something. A request with the result `alone`
 * is then run by the operation's `handle`, in its own transaction.
 */
export type SharedResult<R> = R | ApiError | 'alone';

/**
 * Runs requests of any brands in one transaction [D91]. Optional: without it, every request has its own. Imitate
 * `catalog/stock/routes/adjust-stock.ts`; `SharedOperationKit` in `server/test/support/shared-writes/` tests that
 * requests have the same results together and one by one.
 */
export interface SharedHandling<Context, Request, R> {
  /** The most requests in one transaction. */
  readonly maxRequests: number;
  /**
   * Decides and writes requests and returns one result for each, in their order. Its first statement is sent with those
   * that lock the Idempotency-Keys, so it starts before anything is awaited, and ignores requests whose key is not locked:
   * `isClaimed` of their position in `requests` (`access/idempotency/shared-keys-store.ts`). Their results are discarded.
   *
   * Runs a fixed number of statements, and never waits for a row that another transaction has locked: the others in the
   * transaction would wait as well. Throws only if it cannot continue: the transaction is then rolled back, and each
   * request is run alone.
   */
  readonly handle: (
    tx: Transaction,
    requests: readonly Request[],
    context: Context,
  ) => Promise<readonly SharedResult<R>[]>;
}

/** Returns the reply of `decide`, or the refusal that it throws. */
export function asResult<R>(decide: () => R): R | ApiError {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Returns whether the result is neither a refusal nor `alone`. */
export function isReply<R>(result: SharedResult<R>): result is R {
  return result !== 'alone' && !(result instanceof ApiError);
}

/** Maps the replies among the results; the others are left unchanged. */
export function mapReplies<A, B>(
  results: readonly SharedResult<A>[],
  map: (reply: A, position: number) => B,
): SharedResult<B>[] {
  return results.map((result, position) => (isReply(result) ? map(result, position) : result));
}

/**
 * Converts the items and passes those that `convert` does not refuse to `decide`. `position` is the position in `items`.
 * Returns one result for each item, in their order.
 */
export async function decideConverted<A, B, R>(
  items: readonly A[],
  convert: (item: A, position: number) => B,
  decide: (converted: readonly B[]) => Promise<readonly SharedResult<R>[]>,
): Promise<SharedResult<R>[]> {
  const converted = items.map((item, position) => asResult(() => convert(item, position)));
  const accepted = converted.flatMap((item) => (item instanceof ApiError ? [] : [item as B]));
  const decided = await decide(accepted);
  let next = 0;
  return converted.map((item) => {
    if (item instanceof ApiError) return item;
    next += 1;
    return decided[next - 1] as SharedResult<R>;
  });
}
