import { ApiError } from '../errors/api-error.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** The row of a brand that a write locks: that of its catalog, or that of its stock. */
export type BrandLockName = 'catalog' | 'stock';

/**
 * Writes a set of requests, of any brands, in one transaction and two round trips: lock and read, decide,
 * write [D217]. A request that arrives alone is a set of one. Imitate `catalog/stock/routes/adjust-stock.ts`.
 */
export interface SetHandling<Context, Request, R> {
  readonly lock: BrandLockName;
  /** Returns whether a request waits for further locks, and is therefore a set alone. Default: none does. */
  readonly isAlone?: (request: Request) => boolean;
  /** Returns whether a request is a dry run: it takes no lock and does not wait for a turn. Default: none is. */
  readonly isDryRun?: (request: Request) => boolean;
  /**
   * Locks the brands and then reads what the decisions need, in statements that are sent together: they start before anything is
   * awaited, next to those that claim the Idempotency-Keys. `waits` false: skips the brands that another transaction has locked.
   */
  readonly open: (
    tx: Transaction,
    requests: readonly [Request, ...Request[]],
    options: { readonly waits: boolean; readonly context: Context },
  ) => Promise<OpenSet<R>>;
}

/** The requests of a set, in memory, on locked rows. */
export interface OpenSet<R> {
  /** Returns whether the transaction has locked the brand of the request at this position. */
  isLocked(position: number): boolean;
  /**
   * Decides the request at this position on the state that the requests decided before it have left. Called in order
   * of arrival, and only for requests whose key is claimed and whose brand is locked.
   * @throws ApiError a refusal, which leaves the state as it is
   */
  decide(position: number): R;
  /** Queues the statements that write what was decided; sent with the commit. */
  write(): Promise<void>;
}

/** Returns the result of `decide`, or the refusal that it throws. */
export function refusalOr<R>(decide: () => R): R | ApiError {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
