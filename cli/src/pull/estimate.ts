import type { Brandport } from '@brandport/client';
import { datasetTables } from '../columns/dataset-tables.ts';
import type { ServiceStatus } from './dataset-changes.ts';
import type { DatasetPlan } from './plan-datasets.ts';
import { SliceQueue } from './slices.ts';

/** The work of a dataset before it is done. */
export interface DatasetEstimate {
  readonly dataset: string;
  readonly days: number;
  /** null if nothing is known about the rows of new days. */
  readonly rows: number | null;
  /** With unknown rows, the least. */
  readonly requests: number;
}

export interface PullEstimate {
  readonly datasets: readonly DatasetEstimate[];
  readonly requests: number;
  /** True if rows are unknown: there can be more requests. */
  readonly isLowerBound: boolean;
  /** Minutes at the limit of requests; null without a limit. */
  readonly minutes: number | null;
}

/**
 * Estimates a run. Days that are stored have about as many rows as before; a new day has a row of `users` for each active
 * learner, which the daily metrics say for one request a year.
 */
export async function estimatePull(
  brandport: Brandport,
  plans: readonly DatasetPlan[],
  {
    status,
    rowsOf,
    signal,
  }: {
    readonly status: ServiceStatus;
    /** Returns the rows of a stored day; undefined for a new one. */
    readonly rowsOf: (dataset: string, day: string) => number | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<PullEstimate> {
  const { limit, scopes } = status;
  const datasets: DatasetEstimate[] = [];
  for (const plan of plans) {
    const { name, perPage } = plan.table;
    const isNew = plan.days.some(({ date }) => rowsOf(name, date) === undefined);
    const isCounted = isNew && name === 'users' && scopes.has(datasetTables.daily.scope);
    const active = isCounted ? await activeUsers(brandport, plan, signal) : null;
    let rows: number | null = 0;
    for (const { date } of plan.days) {
      const known = rowsOf(name, date) ?? (name === 'daily' ? 1 : active?.get(date));
      const unlisted = active === null ? null : 0;
      rows = rows === null || (known ?? unlisted) === null ? null : rows + (known ?? 0);
    }
    const requests = Math.max(slicesOf(plan, rows), Math.ceil((rows ?? 0) / perPage));
    datasets.push({ dataset: name, days: plan.days.length, rows, requests });
  }
  const requests = datasets.reduce((sum, each) => sum + each.requests, 0);
  const isLowerBound = datasets.some(({ rows }) => rows === null);
  return { datasets, requests, isLowerBound, minutes: limit === null ? null : Math.ceil(requests / limit) };
}

/** The walks that the days take, each of one request at least. */
function slicesOf({ days, table }: DatasetPlan, rows: number | null): number {
  const queue = new SliceQueue(days, table.capDays);
  let count = 0;
  for (let slice = queue.next(); slice !== null; slice = queue.next()) {
    count += 1;
    queue.learn(days.length, rows ?? 0);
  }
  return count;
}

/** Returns the active learners of each day. */
async function activeUsers(
  brandport: Brandport,
  { days }: DatasetPlan,
  signal: AbortSignal | undefined,
): Promise<Map<string, number>> {
  const query = { from: days[0]?.date, to: days.at(-1)?.date, per_page: datasetTables.daily.perPage };
  const active = new Map<string, number>();
  for await (const row of brandport.analytics.daily.rows(query, { signal }))
    active.set(row.date, row.active_users);
  return active;
}
