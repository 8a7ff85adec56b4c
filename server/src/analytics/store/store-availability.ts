import { ApiError } from '../../errors/api-error.ts';
import { writeTroubleOf } from '../../postgres/database-trouble.ts';
import { isAnswerTimeout, isConnectionFailure, isOverload, sqlState } from '../../postgres/sqlstate.ts';
import { StoreTrouble } from './store-trouble.ts';

/** The longest wait of a client; the API promises 3 s [analytics-43]. */
const answerLimitMs = 2_500;

/** After a restart of the store, every connection of the pool may be dead, and only its use shows it. */
const tries = 8;

export type OnAway = (reason: string) => void;

function analyticsUnavailable(cause?: unknown): ApiError {
  const trouble = writeTroubleOf(cause);
  return new ApiError('analytics_unavailable', {
    ...(trouble === 'disk_full' && { message: 'The disk of the analytics store is full.' }),
    ...(trouble === 'read_only' && { message: 'The analytics store is currently read-only.' }),
    headers: { 'retry-after': '60' },
  });
}

/**
 * Runs a query of an endpoint, for 2.5 s at most. Retries if its connection turns out to be dead.
 * @throws ApiError `analytics_unavailable`
 */
export function answerInTime<T>(onAway: OnAway, ask: () => Promise<T>): Promise<T> {
  return within(answerLimitMs, onAway, () => askOften(ask));
}

/** Like `whenAvailable`; rejects after `limitMs`, while the work continues. */
async function within<T>(limitMs: number, onAway: OnAway, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onAway(`no response within ${limitMs} ms`);
      reject(analyticsUnavailable());
    }, limitMs);
  });
  const working = whenAvailable(onAway, work);
  working.catch(() => {});
  return Promise.race([working, tooLate]).finally(() => clearTimeout(timer));
}

async function askOften<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      // A query that hangs would hang again.
      if (attempt >= tries || !isConnectionFailure(error) || isAnswerTimeout(error)) throw error;
    }
  }
}

/** Converts errors of an unavailable store to the ApiError `analytics_unavailable`. */
export async function whenAvailable<T>(onAway: OnAway, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAway(error)) throw error;
    onAway((error as Error).message);
    throw analyticsUnavailable(error);
  }
}

/** Time after its limit in which an aggregation reports that it was rolled back. */
const rollbackMs = 10_000;

/**
 * Like `whenAvailable`, for work that ends itself after `limitMs`. If the store hangs, rejects 10 s later: nothing has happened
 * then, or all of it once the store responds again.
 */
export function whenAvailableWithin<T>(
  onAway: OnAway,
  limitMs: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return limitMs === undefined ? whenAvailable(onAway, work) : within(limitMs + rollbackMs, onAway, work);
}

/** True too if the store is out of time or resources, or has no tables yet: migrations run when it becomes available. */
function isAway(error: unknown): boolean {
  if (error instanceof StoreTrouble) return error.isUnavailable;
  return isConnectionFailure(error) || isOverload(error) || isNotPrepared(error);
}

/** Undefined table, column or schema; a password or a database that does not exist (yet); a read-only database. */
function isNotPrepared(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && /^(42P01|42703|3F000|3D000|28P01|28000|25006)$/.test(state);
}
