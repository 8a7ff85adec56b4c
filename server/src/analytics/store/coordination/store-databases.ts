import type { DatabaseAddress, WaitLimits } from '../../../postgres/connection-options.ts';
import type { DatabaseOptions, TurnUse } from '../../../postgres/connections.ts';
import { Database } from '../../../postgres/database.ts';

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

export interface StorePoolUse {
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
