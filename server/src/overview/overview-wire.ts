import { type Static, Type } from 'typebox';
import { exampleIds, NamedObject, Nullable, Timestamp } from '../api/field-schemas.ts';
import { DoctorRunWire, doctorRunToWire } from '../doctor/doctor-run-operations.ts';
import type { JobRun } from '../queue/queue-store.ts';
import { type Concern, type ConcernKind, concernKinds } from './concern-store.ts';
import type { Overview, OverviewContext } from './overview-store.ts';

const LastRunWire = Type.Object({
  job_id: Type.String(),
  state: Type.String({ enum: ['queued', 'running', 'failed', 'completed'] }),
  started_at: Nullable(Timestamp()),
  finished_at: Nullable(Timestamp()),
  error: Nullable(Type.String(), { description: 'The last error.' }),
});

function lastRunToWire(run: JobRun): Static<typeof LastRunWire> {
  return {
    job_id: run.id,
    state: run.state,
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    error: run.error,
  };
}

const count = (description: string) => Type.Integer({ minimum: 0, description });

const { differences: _, ...runFields } = DoctorRunWire.properties;

export const OverviewWire = NamedObject('Overview', {
  version: Type.String({ description: 'The version of the process that responds.' }),
  role: Type.String({
    enum: ['all', 'api', 'worker'],
    description: 'The role of the process that responds.',
  }),
  database: Type.String({
    enum: ['available', 'disk_full', 'read_only'],
    description:
      'The main database; `disk_full` and `read_only`: writes fail. While it is unreachable, the overview is 503.',
  }),
  analytics: Type.String({ enum: ['available', 'unavailable'], description: 'The analytics store.' }),
  redis: Type.String({
    enum: ['available', 'unavailable', 'not_configured'],
    description:
      'Redis, which counts rate limits for all processes. Otherwise each process counts for itself.',
  }),
  feeds: Type.Object({
    queued: count('Feeds that wait.'),
    processing: count('Feeds that are being applied.'),
    oldest_age_seconds: Nullable(Type.Integer({ minimum: 0 }), {
      description: 'Seconds since the receipt of the oldest unfinished feed; null: all feeds are finished.',
    }),
    waiting_lines: count('Lines of unfinished feeds that have not been applied.'),
    lines_per_second: Nullable(Type.Number({ minimum: 0 }), {
      description:
        'The sum of the rates of the unfinished feeds that were worked on in the last minute; null: there are none.',
    }),
    failed_24h: count('Feeds that failed in the last 24 hours.'),
    refused_lines_24h: count(
      'Lines of an unknown SKU or location, or of one that has no stock, in feeds that ended in the last 24 hours; one for each SKU and location, until a later line replaces it.',
    ),
  }),
  jobs: Type.Object({
    failed_24h: count(
      'Jobs that failed permanently in the last 24 hours, and were not retried since then; without those that could not deliver an alert, which is the concern `alerts_undelivered`.',
    ),
    failures: Type.Array(
      Type.Object({
        queue: Type.String(),
        error: Nullable(Type.String(), { description: 'The error of the last one.' }),
        count: count('The jobs that failed for this reason.'),
        first_at: Timestamp(),
        last_at: Timestamp(),
        job_id: Type.String({ description: 'The last of them.' }),
      }),
      {
        description:
          'All jobs that failed in the last 24 hours, by queue and reason, the last failure first; at most 20 rows.',
      },
    ),
  }),
  datasets: Type.Object({
    brands_behind: Nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Brands whose last aggregated day is before yesterday; null while the analytics store is unavailable.',
    }),
    dirty_days: Nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Days up to yesterday, of all brands, with events that no aggregation has included; null while the analytics store is unavailable.',
    }),
    last_run: Nullable(LastRunWire, {
      description: 'The last nightly aggregation. null: none is kept, or the caller is not an administrator.',
    }),
  }),
  keys: Type.Object({
    expiring_30d: count('Active keys that expire within 30 days.'),
    unused_90d: count('Active keys that were issued more than 90 days ago and not used since then.'),
    overlaps: count('Active keys that replace another key, which is still active.'),
  }),
  refusals: Type.Object({
    last_24h: count(
      'Requests of keys that were refused, answered with another 4xx than 429, in the last 24 hours, whole UTC hours, as `refused_24h` of the brands counts them.',
    ),
    keys: count('The keys of these requests.'),
  }),
  limits: Type.Object({
    denials_1h: count(
      'Requests with a key that were rejected with 429 in this UTC hour and the one before, up to ten seconds late.',
    ),
  }),
  concerns: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The same while the concern is the same; mute it by this id.' }),
      kind: Type.String({ enum: [...concernKinds] }),
      count: count('The feeds, lines, alerts, jobs, brands, days, keys or requests that the kind names.'),
      brands: Type.Array(
        Type.Object({ id: Type.Integer(), name: Type.String(), count: count('The count within the brand.') }),
        {
          description: 'The brands with the largest counts, at most five.',
        },
      ),
      brands_total: count('All brands with the concern.'),
      since: Nullable(Timestamp(), {
        description: 'When the first of them failed: of jobs and alerts; null for other kinds.',
      }),
      muted: Type.Boolean(),
      muted_until: Nullable(Timestamp(), { description: 'null: until it changes, or not muted.' }),
    }),
    { description: 'Everything in brands that needs attention, worst first, with what is muted.' },
  ),
  doctor: Nullable(Type.Object(runFields), {
    description:
      'The last run of the doctor that has ended, or the first one. null: none is kept, or the caller is not an administrator.',
  }),
});

export const overviewExample: Static<typeof OverviewWire> = {
  version: '1.0.0',
  role: 'all',
  database: 'available',
  analytics: 'available',
  redis: 'not_configured',
  feeds: {
    queued: 2,
    processing: 1,
    oldest_age_seconds: 14,
    waiting_lines: 48_200,
    lines_per_second: 6_120.4,
    failed_24h: 0,
    refused_lines_24h: 12,
  },
  jobs: {
    failed_24h: 3,
    failures: [
      {
        queue: 'aggregate-window',
        error: 'analytics store unreachable: connect ECONNREFUSED 10.0.0.5:5432',
        count: 3,
        first_at: '2026-03-01T06:12:00.000Z',
        last_at: '2026-03-01T08:12:00.000Z',
        job_id: exampleIds.job,
      },
    ],
  },
  datasets: {
    brands_behind: 0,
    dirty_days: 2,
    last_run: {
      job_id: exampleIds.job,
      state: 'completed',
      started_at: '2026-03-01T00:05:00.400Z',
      finished_at: '2026-03-01T00:05:09.412Z',
      error: null,
    },
  },
  keys: { expiring_30d: 1, unused_90d: 0, overlaps: 1 },
  refusals: { last_24h: 40, keys: 2 },
  limits: { denials_1h: 12 },
  concerns: [
    {
      id: 'keys_expiring.5f0c1b2a3d4e5f60',
      kind: 'keys_expiring',
      count: 1,
      brands: [{ id: 1, name: 'Maison Aurore', count: 1 }],
      brands_total: 1,
      since: null,
      muted: false,
      muted_until: null,
    },
  ],
  doctor: {
    id: exampleIds.job,
    state: 'completed',
    started_at: '2026-03-01T08:30:00.300Z',
    finished_at: '2026-03-01T08:31:12.512Z',
    brands: 12,
    found: 0,
    error: null,
  },
};

/** Adds the states of the parts that the responding process works with. */
export function overviewToWire(
  overview: Overview,
  context: Pick<OverviewContext, 'server' | 'database' | 'rateLimits' | 'clock'>,
): Static<typeof OverviewWire> {
  const { server, database, rateLimits, clock } = context;
  const { feeds, datasets, concerns, lastAggregation, lastDoctorRun } = overview;
  const countOf = (kind: ConcernKind) => concerns.find((concern) => concern.kind === kind)?.count ?? 0;
  const isRedisUsed = rateLimits.isShared();
  const feedAgeMs = feeds.oldestAt && Math.max(0, clock.now() - feeds.oldestAt.getTime());
  return {
    version: server.version,
    role: server.role,
    database: database.writeTrouble ?? 'available',
    analytics: datasets === null ? 'unavailable' : 'available',
    redis: isRedisUsed === null ? 'not_configured' : isRedisUsed ? 'available' : 'unavailable',
    feeds: {
      queued: feeds.queued,
      processing: feeds.processing,
      oldest_age_seconds: feedAgeMs === null ? null : Math.floor(feedAgeMs / 1_000),
      waiting_lines: feeds.waitingLines,
      lines_per_second: feeds.linesPerSecond,
      failed_24h: countOf('feeds_failed'),
      refused_lines_24h: countOf('lines_failed'),
    },
    jobs: {
      failed_24h: countOf('jobs_failed'),
      failures: overview.jobFailures.map(({ queue, error, count: jobs, firstAt, lastAt, jobId }) => ({
        ...{ queue, error, count: jobs, job_id: jobId },
        first_at: firstAt.toISOString(),
        last_at: lastAt.toISOString(),
      })),
    },
    datasets: {
      brands_behind: datasets?.brandsBehind ?? null,
      dirty_days: datasets?.dirtyDays ?? null,
      last_run: lastAggregation === null ? null : lastRunToWire(lastAggregation),
    },
    keys: {
      expiring_30d: countOf('keys_expiring'),
      unused_90d: countOf('keys_unused'),
      overlaps: countOf('keys_overlapping'),
    },
    refusals: { last_24h: countOf('requests_refused'), keys: overview.refusedKeys },
    limits: { denials_1h: countOf('requests_denied') },
    concerns: concerns.map(concernToWire),
    doctor: lastDoctorRun === null ? null : doctorSummaryOf(doctorRunToWire(lastDoctorRun)),
  };
}

function doctorSummaryOf({ differences: _, ...summary }: Static<typeof DoctorRunWire>) {
  return summary;
}

const shownBrands = 5;

function concernToWire(concern: Concern): Static<typeof OverviewWire>['concerns'][number] {
  const { id, kind, count, brands, since, isMuted, mutedUntil } = concern;
  return {
    ...{ id, kind, count },
    brands: brands.slice(0, shownBrands).map((brand) => ({ ...brand })),
    brands_total: brands.length,
    since: since?.toISOString() ?? null,
    muted: isMuted,
    muted_until: mutedUntil?.toISOString() ?? null,
  };
}
