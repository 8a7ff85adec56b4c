import { ApiError } from '../../errors/api-error.ts';
import { within } from '../../lib/within.ts';
import type { DatabaseAddress, WaitLimits } from '../../postgres/connection-options.ts';
import type { DatabaseOptions, TurnUse } from '../../postgres/connections.ts';
import { Database } from '../../postgres/database.ts';
import {
  isAnswerTimeout,
  isConnectionFailure,
  isOverload,
  sqlState,
  writeTroubleOf,
} from '../../postgres/database-errors.ts';
import { MigrationError } from '../../postgres/schema/schema-files.ts';

/**
 * Separate pools, so that none waits for another: a nightly run does not block pages, and pages that hang do not block events.
 */
export interface StoreDatabases {
  readonly reads: Database;
  readonly writes: Database;
  /** Aggregation and maintenance, without a time limit per request. */
  readonly jobs: Database;
}

/** The endpoints respond within 3 s in any state of the store [analytics-43]. */
const readLimits: WaitLimits = {
  connect: 2_000,
  lock: 2_000,
  statement: 2_000,
  answer: 2_200,
  idleTransaction: 10_000,
};

const writeLimits: WaitLimits = {
  connect: 2_500,
  lock: 10_000,
  statement: 20_000,
  answer: 22_000,
  idleTransaction: 30_000,
};

/**
 * Ends a run on a hanging store eventually. One that waits for another aggregation of the brand holds a connection, so getting
 * a free one may take long.
 */
const jobLimits: WaitLimits = {
  connect: 60_000,
  lock: 0,
  statement: 0,
  answer: 6 * 3_600_000,
  idleTransaction: 60_000,
};

/**
 * Pages are read in index order until they are full. Without statistics, PostgreSQL expects a dozen rows, reads the whole
 * window and sorts it (305,000 rows where it expected 24). Sorts that a statement needs are still executed. PostgreSQL 16 and
 * 17 assign such high costs to disabled operations that they would compile, which takes longer than any page.
 */
const pageSettings = { enable_sort: 'off', jit: 'off' };

export function openStoreDatabases(address: DatabaseAddress, onLoss: (error: Error) => void): StoreDatabases {
  const open = (
    applicationName: string,
    limits: WaitLimits,
    options: Pick<DatabaseOptions, 'poolSize' | 'readPoolSize' | 'plannerSettings'>,
  ) => new Database({ address, applicationName, limits, ...options, onLoss });
  return {
    reads: open('brandport-analytics', readLimits, { readPoolSize: 6, plannerSettings: pageSettings }),
    writes: open('brandport-analytics-events', writeLimits, { poolSize: 4 }),
    jobs: open('brandport-analytics-jobs', jobLimits, { poolSize: 8, readPoolSize: 2 }),
  };
}

interface StorePoolUse {
  /** A name that does not change, such as `reads`. */
  readonly pool: string;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A pool's connections for transactions and for reads are counted together. */
export function storeUses(databases: StoreDatabases): StorePoolUse[] {
  return Object.entries(databases).map(([pool, database]: [string, Database]) => {
    const uses = database.uses();
    const sum = (read: (use: TurnUse) => number) => uses.reduce((total, use) => total + read(use), 0);
    return {
      pool,
      busy: sum(({ busy }) => busy),
      idle: sum(({ idle }) => idle ?? 0),
      waiting: sum(({ waiting }) => waiting),
    };
  });
}

export async function closeStoreDatabases(
  { reads, writes, jobs }: StoreDatabases,
  limitMs?: number,
): Promise<void> {
  await Promise.all([reads, writes, jobs].map((database) => database.close(limitMs)));
}

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
  return availableWithin(answerLimitMs, onAway, () => askOften(ask));
}

/** Like `whenAvailable`; rejects after `limitMs`, while the work continues. */
function availableWithin<T>(limitMs: number, onAway: OnAway, work: () => Promise<T>): Promise<T> {
  return within(limitMs, whenAvailable(onAway, work), () => {
    onAway(`no response within ${limitMs} ms`);
    throw analyticsUnavailable();
  });
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
  return limitMs === undefined
    ? whenAvailable(onAway, work)
    : availableWithin(limitMs + rollbackMs, onAway, work);
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

/** A failure of the engine that keeps a store's rows outside of PostgreSQL. The message is a sentence for operators. */
export class StoreTrouble extends Error {
  /** True if the engine is unavailable, out of time or resources, or has no tables yet; false: it refused a statement. */
  readonly isUnavailable: boolean;

  constructor(message: string, isUnavailable: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreTrouble';
    this.isUnavailable = isUnavailable;
  }
}

/** The settings name another engine or database than the one that has the events of this store. */
export class StoreMismatch extends MigrationError {}
