import { type Day, yesterdayOf } from '../analytics/day.ts';
import type { BrandLag } from '../analytics/store/day-lists-store.ts';
import type { InternalCaller } from '../api/access.ts';
import { findBrandNames } from '../brands/brand-store.ts';
import type { DoctorRun } from '../jobs/doctor-runs/doctor-run.ts';
import { findLastDoctorRun } from '../jobs/doctor-runs/doctor-run-store.ts';
import { countFailures } from '../jobs/job-store.ts';
import { findLastAggregation, type JobRun } from '../jobs/queue-store.ts';
import { type Concern, concernsFrom, lagConcerns, listMutes, readConcernRows } from './concern-store.ts';
import { type FeedFigures, readFeedFigures } from './queries/read-feed-figures.ts';
import {
  countDenials,
  countRefusals,
  type KeyFigures,
  type RefusalFigures,
  readKeyFigures,
} from './queries/read-key-figures.ts';
import { isBehind, type LagSources, readLags } from './read-lags.ts';

const hourMs = 3_600_000;

export interface DatasetFigures {
  readonly brandsBehind: number;
  /** Days up to yesterday with events that no aggregation has included. */
  readonly dirtyDays: number;
}

export interface Overview {
  readonly feeds: FeedFigures;
  readonly failedJobs: number;
  /** null: the analytics store is unavailable. */
  readonly datasets: DatasetFigures | null;
  readonly keys: KeyFigures;
  readonly denials: number;
  readonly refusals: RefusalFigures;
  readonly concerns: readonly Concern[];
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
  const [rows, mutes, lags, feeds, failedJobs, keys, denials, refusals, lastAggregation, lastDoctorRun] =
    await Promise.all([
      readConcernRows(database, brandIds, new Date(now)),
      listMutes(database, new Date(now)),
      readLags(context, brandIds, yesterday),
      readFeedFigures(database, brandIds, new Date(now)),
      countFailures(database, brandIds, new Date(now - 24 * hourMs)),
      readKeyFigures(database, brandIds, new Date(now)),
      countDenials(database, brandIds, new Date(now - hourMs)),
      countRefusals(database, brandIds, new Date(now - 24 * hourMs)),
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
  return { feeds, failedJobs, datasets, keys, denials, refusals, concerns, lastAggregation, lastDoctorRun };
}

function datasetFigures(lags: readonly BrandLag[], yesterday: Day): DatasetFigures {
  return {
    brandsBehind: lags.filter((lag) => isBehind(lag, yesterday)).length,
    dirtyDays: lags.reduce((sum, { dirtyDays }) => sum + dirtyDays, 0),
  };
}
