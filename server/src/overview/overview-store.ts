import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import { type Day, yesterdayOf } from '../analytics/day.ts';
import type { BrandLag } from '../analytics/store/day-lists-store.ts';
import type { BrandReach, InternalCaller } from '../api/access.ts';
import { findBrandNames } from '../brands/brand-store.ts';
import { type DoctorRun, findLastDoctorRun } from '../doctor/doctor-run-store.ts';
import { type JobFailures, listJobFailures } from '../jobs/job-failures-store.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import { type JobRun, jobRunColumns } from '../queue/queue-store.ts';
import {
  type Concern,
  concernsFrom,
  isBehind,
  type LagSources,
  lagConcerns,
  readConcernRows,
  readLags,
} from './concern-store.ts';
import { listMutes } from './mute-store.ts';

export interface ServerIdentity {
  readonly version: string;
  /** `all`, `api` or `worker`. */
  readonly role: string;
}

export interface OverviewContext extends AnalyticsContext {
  readonly rateLimits: Pick<RateLimits, 'isShared'>;
  readonly server: ServerIdentity;
}

/** Figures of the stock feeds that are not finished. */
interface FeedFigures {
  readonly queued: number;
  readonly processing: number;
  /** When the oldest unfinished feed was received; null: all are finished. */
  readonly oldestAt: Date | null;
  readonly waitingLines: number;
  /** The sum of the rates of the feeds that were worked on in the last minute; null: none was. */
  readonly linesPerSecond: number | null;
}

/**
 * Reads unfinished feeds by their partial index: nothing that grows with the finished feeds. The rate counts from the receipt
 * or the end of the feed before it, as in `linesPerSecond`.
 */
async function readFeedFigures(database: Queryable, brandIds: BrandReach, now: Date): Promise<FeedFigures> {
  const where = new Conditions(['f.finished_at is null'], [now]);
  where.addBrands('f.brand_id', brandIds);
  const rows = await database.run(
    statement<FeedFigures>(
      `read_feed_figures${where.code}`,
      `select count(*) filter (where f.status = 'queued') as queued,
         count(*) filter (where f.status = 'processing') as processing,
         min(f.received_at) as "oldestAt",
         coalesce(sum(f.received_lines - f.next_line), 0)::bigint as "waitingLines",
         round(sum(f.next_line / r.seconds)::numeric, 1)::float8 as "linesPerSecond"
       from stock_feeds f
       left join lateral (
         select nullif(greatest(0, extract(epoch from f.worked_at - greatest(f.received_at, (
           select p.finished_at from stock_feeds p where p.brand_id = f.brand_id and p.id < f.id order by p.id desc limit 1
         )))), 0)::float8 as seconds
         where f.next_line > 0 and f.worked_at > $1::timestamptz - interval '1 minute'
       ) as r on true
       where ${where.sql}`,
      where.values,
      { long: true },
    ),
  );
  return rows[0] as FeedFigures;
}

/**
 * Returns the last nightly aggregation; null: none is kept. The name is a literal: the planned number of jobs is then that of
 * this queue, and not the average of all, among which one queue has nearly all jobs.
 */
async function findLastAggregation(database: Queryable): Promise<JobRun | null> {
  const rows = await database.run(
    statement<JobRun>(
      'find_last_aggregation',
      `select ${jobRunColumns} from pgboss.job where name = 'aggregate-days' order by created_on desc, id limit 1`,
      [],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}

interface DatasetFigures {
  readonly brandsBehind: number;
  /** Days up to yesterday with events that no aggregation has included. */
  readonly dirtyDays: number;
}

export interface Overview {
  readonly feeds: FeedFigures;
  /** null: the analytics store is unavailable. */
  readonly datasets: DatasetFigures | null;
  readonly concerns: readonly Concern[];
  /** The jobs that failed in the last 24 hours, by queue and reason. */
  readonly jobFailures: readonly JobFailures[];
  /** The keys of the refused requests of the last 24 hours. */
  readonly refusedKeys: number;
  /** The last nightly aggregation; null: none is kept, or the caller is no administrator. */
  readonly lastAggregation: JobRun | null;
  /** null: none is kept, or the caller is no administrator. */
  readonly lastDoctorRun: DoctorRun | null;
}

const dayMs = 86_400_000;

type Caller = Pick<InternalCaller, 'role' | 'brandIds'>;

/**
 * Reads the overview with a constant number of statements. Their cost grows with brands, keys, and what is unfinished or has
 * failed. Without the analytics store, all else is still returned; a store that hangs delays it by 2.5 s at most.
 */
export async function readOverview(
  context: Pick<AnalyticsContext, 'database' | 'analytics' | 'clock'>,
  { role, brandIds }: Caller,
): Promise<Overview> {
  const { database, clock } = context;
  const now = clock.now();
  const isAdministrator = role === 'administrator';
  const yesterday = yesterdayOf(now);
  const [{ concerns, lags, refusedKeys }, feeds, jobFailures, lastAggregation, lastDoctorRun] =
    await Promise.all([
      readConcerns(context, brandIds),
      readFeedFigures(database, brandIds, new Date(now)),
      listJobFailures(database, brandIds, new Date(now - dayMs)),
      isAdministrator ? findLastAggregation(database) : null,
      isAdministrator ? findLastDoctorRun(database) : null,
    ]);
  const datasets = lags === null ? null : datasetFigures(lags, yesterday);
  return { feeds, datasets, concerns, jobFailures, refusedKeys, lastAggregation, lastDoctorRun };
}

/** Reads the concerns that a caller with these brands sees, with their ids. */
export async function readConcerns(
  sources: LagSources,
  brandIds: BrandReach,
): Promise<{
  readonly concerns: readonly Concern[];
  readonly lags: readonly BrandLag[] | null;
  readonly refusedKeys: number;
}> {
  const { database, clock } = sources;
  const now = new Date(clock.now());
  const yesterday = yesterdayOf(clock.now());
  const [rows, mutes, lags] = await Promise.all([
    readConcernRows(database, brandIds, now),
    listMutes(database, now),
    readLags(sources, brandIds, yesterday),
  ]);
  const late = lags?.filter((lag) => isBehind(lag, yesterday) || lag.dirtyDays > 0) ?? [];
  const names = await findBrandNames(
    database,
    late.map(({ brandId }) => brandId),
  );
  const concerns = concernsFrom([...rows, ...lagConcerns(late, yesterday, names)], mutes);
  return { concerns, lags, refusedKeys: rows.reduce((sum, { keys }) => sum + (keys ?? 0), 0) };
}

function datasetFigures(lags: readonly BrandLag[], yesterday: Day): DatasetFigures {
  return {
    brandsBehind: lags.filter((lag) => isBehind(lag, yesterday)).length,
    dirtyDays: lags.reduce((sum, { dirtyDays }) => sum + dirtyDays, 0),
  };
}
