import { yesterdayOf } from '../analytics/day.ts';
import { listBrandIds } from '../analytics/queries/list-brand-ids.ts';
import type { InternalCaller } from '../api/access.ts';
import { ApiError } from '../errors/api-error.ts';
import type { DoctorRun } from '../jobs/doctor-runs/doctor-run.ts';
import { findLastDoctorRun } from '../jobs/doctor-runs/queries/doctor-run-list.ts';
import { countFailures } from '../jobs/queries/count-failures.ts';
import { type LastRun, listLastRuns } from '../jobs/queries/last-runs.ts';
import type { OverviewContext } from './overview-context.ts';
import { countDenials } from './queries/count-denials.ts';
import { type FeedFigures, readFeedFigures } from './queries/read-feed-figures.ts';
import { type KeyFigures, readKeyFigures } from './queries/read-key-figures.ts';

const hourMs = 3_600_000;

/** The state of the datasets of some brands. */
export interface DatasetFigures {
  /** Brands whose last aggregated day is before yesterday. */
  readonly brandsBehind: number;
  /** Days up to yesterday with events that no aggregation has included. */
  readonly dirtyDays: number;
}

/** The figures of the brands that a caller may see. */
export interface Overview {
  readonly feeds: FeedFigures;
  readonly failedJobs: number;
  /** null: the analytics store is unavailable. */
  readonly datasets: DatasetFigures | null;
  readonly keys: KeyFigures;
  readonly denials: number;
  /** The last nightly aggregation; null: none is kept, or the caller is no administrator. */
  readonly lastAggregation: LastRun | null;
  /** null: none is kept, or the caller is no administrator. */
  readonly lastDoctorRun: DoctorRun | null;
}

type OverviewSources = Pick<OverviewContext, 'database' | 'analytics' | 'clock'>;
type Caller = Pick<InternalCaller, 'role' | 'brandIds'>;

/**
 * Reads the overview with a constant number of statements. Their cost grows with the number of brands and keys, and with what is
 * unfinished or has failed, not with what was finished. Without the analytics store, all else is still returned; a store
 * that hangs delays it by 2.5 s at most.
 */
export async function readOverview(context: OverviewSources, { role, brandIds }: Caller): Promise<Overview> {
  const { database, clock } = context;
  const now = clock.now();
  const isAdministrator = role === 'administrator';
  const [feeds, failedJobs, datasets, keys, denials, lastRuns, lastDoctorRun] = await Promise.all([
    readFeedFigures(database, brandIds, new Date(now)),
    countFailures(database, brandIds, new Date(now - 24 * hourMs)),
    readDatasetFigures(context, brandIds),
    readKeyFigures(database, brandIds, new Date(now)),
    countDenials(database, brandIds, new Date(now - hourMs)),
    isAdministrator ? listLastRuns(database) : [],
    isAdministrator ? findLastDoctorRun(database) : null,
  ]);
  const lastAggregation = lastRuns.find(({ queue }) => queue === 'aggregate-days') ?? null;
  return { feeds, failedJobs, datasets, keys, denials, lastAggregation, lastDoctorRun };
}

async function readDatasetFigures(
  { database, analytics, clock }: OverviewSources,
  reach: Caller['brandIds'],
): Promise<DatasetFigures | null> {
  const yesterday = yesterdayOf(clock.now());
  const brandIds = reach ?? (await listBrandIds(database));
  if (brandIds.length === 0) return { brandsBehind: 0, dirtyDays: 0 };
  try {
    const page = { size: brandIds.length, offset: 0, dirtyUntil: yesterday };
    const lags = await analytics.listLags(brandIds, page);
    return {
      brandsBehind: lags.filter(({ latestDay }) => latestDay !== null && latestDay < yesterday).length,
      dirtyDays: lags.reduce((sum, { dirtyDays }) => sum + dirtyDays, 0),
    };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'analytics_unavailable') return null;
    throw error;
  }
}
