import { type Day, yesterdayOf } from '../analytics/day.ts';
import type { BrandLag } from '../analytics/store/day-lists-store.ts';
import type { InternalCaller } from '../api/access.ts';
import { findBrandNames } from '../brands/brand-store.ts';
import type { DoctorRun } from '../jobs/doctor-runs/doctor-run.ts';
import { findLastDoctorRun } from '../jobs/doctor-runs/doctor-run-store.ts';
import { findLastAggregation, type JobRun } from '../jobs/queue-store.ts';
import { type Concern, concernsFrom, lagConcerns, listMutes, readConcernRows } from './concern-store.ts';
import { type FeedFigures, readFeedFigures } from './queries/read-feed-figures.ts';
import { isBehind, type LagSources, readLags } from './read-lags.ts';

export interface DatasetFigures {
  readonly brandsBehind: number;
  /** Days up to yesterday with events that no aggregation has included. */
  readonly dirtyDays: number;
}

export interface Overview {
  readonly feeds: FeedFigures;
  /** null: the analytics store is unavailable. */
  readonly datasets: DatasetFigures | null;
  readonly concerns: readonly Concern[];
  /** The keys of the refused requests of the last 24 hours. */
  readonly refusedKeys: number;
  /** The last nightly aggregation; null: none is kept, or the caller is no administrator. */
  readonly lastAggregation: JobRun | null;
  /** null: none is kept, or the caller is no administrator. */
  readonly lastDoctorRun: DoctorRun | null;
}

type Caller = Pick<InternalCaller, 'role' | 'brandIds'>;

/**
 * Reads the overview with a constant number of statements. Their cost grows with brands, keys, and what is unfinished or has
 * failed. Without the analytics store, all else is still returned; a store that hangs delays it by 2.5 s at most.
 */
export async function readOverview(context: LagSources, { role, brandIds }: Caller): Promise<Overview> {
  const { database, clock } = context;
  const now = clock.now();
  const isAdministrator = role === 'administrator';
  const yesterday = yesterdayOf(now);
  const [rows, mutes, lags, feeds, lastAggregation, lastDoctorRun] = await Promise.all([
    readConcernRows(database, brandIds, new Date(now)),
    listMutes(database, new Date(now)),
    readLags(context, brandIds, yesterday),
    readFeedFigures(database, brandIds, new Date(now)),
    isAdministrator ? findLastAggregation(database) : null,
    isAdministrator ? findLastDoctorRun(database) : null,
  ]);
  const late = lags?.filter((lag) => isBehind(lag, yesterday) || lag.dirtyDays > 0) ?? [];
  const names = await findBrandNames(
    database,
    late.map(({ brandId }) => brandId),
  );
  const concerns = concernsFrom([...rows, ...lagConcerns(late, yesterday, names)], mutes);
  const datasets = lags === null ? null : datasetFigures(lags, yesterday);
  const refusedKeys = rows.reduce((sum, { keys }) => sum + (keys ?? 0), 0);
  return { feeds, datasets, concerns, refusedKeys, lastAggregation, lastDoctorRun };
}

function datasetFigures(lags: readonly BrandLag[], yesterday: Day): DatasetFigures {
  return {
    brandsBehind: lags.filter((lag) => isBehind(lag, yesterday)).length,
    dirtyDays: lags.reduce((sum, { dirtyDays }) => sum + dirtyDays, 0),
  };
}
