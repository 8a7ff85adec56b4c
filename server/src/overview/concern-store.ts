import { hash } from 'node:crypto';
import { isSecondOfLineage } from '../access/api-keys/api-key-store.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { Day } from '../analytics/day.ts';
import type { BrandLag } from '../analytics/store/day-lists-store.ts';
import type { BrandReach } from '../api/access.ts';
import { listBrandIds } from '../brands/brand-store.ts';
import { failedLinesLeft } from '../catalog/feeds/feed-store.ts';
import { ApiError } from '../errors/api-error.ts';
import { queueNames } from '../jobs/job.ts';
import { isUndeliveredAlert, reasonOf } from '../jobs/job-failures-store.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Mute } from './mute-store.ts';

export const concernKinds = [
  'feeds_failed',
  'feeds_waiting',
  'lines_failed',
  'alerts_undelivered',
  'jobs_failed',
  'datasets_behind',
  'late_events',
  'keys_expiring',
  'requests_refused',
  'requests_denied',
  'keys_overlapping',
  'keys_unused',
] as const;

export type ConcernKind = (typeof concernKinds)[number];

/** Something that needs attention in some brands. */
export interface Concern {
  /** The same while the concern is: `<kind>.<16 hexadecimal digits>`. */
  readonly id: string;
  readonly kind: ConcernKind;
  readonly count: number;
  /** The brands with their counts, the largest first; what belongs to no brand has none. */
  readonly brands: readonly { readonly id: number; readonly name: string; readonly count: number }[];
  /** When the first of them failed; null: not known for the kind. */
  readonly since: Date | null;
  /** Its parts, one a brand, by ids that stay while the same things fail there: mutes until a time are of these. */
  readonly subjects: readonly string[];
  readonly isMuted: boolean;
  /** null: until the concern changes, or it is not muted. */
  readonly mutedUntil: Date | null;
}

interface ConcernRow {
  readonly kind: ConcernKind;
  readonly brandId: number | null;
  readonly brandName: string | null;
  readonly count: number;
  /** The keys of refused requests; null of all other kinds. */
  readonly keys: number | null;
  /** Another one once the concern of the brand has changed. */
  readonly mark: string;
  /** Names what fails, regardless of how often; null: the same as `mark`. */
  readonly subject: string | null;
  readonly since: Date | null;
}

/** Returns the condition that a key is neither revoked nor expired at the time `$1`. */
export function isActive(alias: string): string {
  return `${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > $1::timestamptz)`;
}

/** Feeds wait too long from this age on, as in the alerts of `deploy/`. */
const oldFeed = `interval '15 minutes'`;

/**
 * Reads the concerns of the main database by brand. Each part reads an index of what is unfinished, has failed lately or is
 * refused; keys are read whole. `$1`: now, `$2`: the brands, null: all.
 */
export function readConcernRows(database: Queryable, brandIds: BrandReach, now: Date): Promise<ConcernRow[]> {
  return database.run(
    statement<ConcernRow>(
      'read_concerns',
      `with since as (select $1::timestamptz - interval '24 hours' as at)
       select c.kind, c.brand_id as "brandId", b.name as "brandName", c.count, c.mark, c.keys, c.subject, c.since from (
         select 'feeds_failed' as kind, f.brand_id, count(*) as count, max(f.id)::text as mark, null::bigint as keys,
           '' as subject, null::timestamptz as since
         from stock_feeds f
         where f.status = 'failed' and f.finished_at > (select at from since) group by f.brand_id
         union all
         select 'feeds_waiting', f.brand_id, count(*), min(f.id)::text, null, '', null from stock_feeds f
         where f.finished_at is null and f.received_at < $1::timestamptz - ${oldFeed} group by f.brand_id
         union all
         select 'lines_failed', o.brand_id, sum(o.lines)::bigint, max(o.id)::text, null, '', null from (
           select f.brand_id, f.id, ${failedLinesLeft.lines('f')} as lines from stock_feeds f
           where ${failedLinesLeft.condition('f')} and f.finished_at > (select at from since)
         ) as o where o.lines > 0 group by o.brand_id
         union all
         select 'alerts_undelivered', null, count(*), coalesce(max(s.last_at)::text, ''), null, null, min(a.created_at)
         from alerts a cross join (select max(sent_at) as last_at from alerts) as s
         where a.sent_at is null and case
             when a.next_attempt_at is null then a.attempts > 0 and a.created_at > coalesce(s.last_at, '-infinity')
             when a.attempts > 1 then true
             -- The first attempt is over, and has failed.
             else a.attempts = 1 and a.next_attempt_at < $1::timestamptz + interval '45 seconds'
           end
         having count(*) > 0
         union all
         select 'jobs_failed', r.brand_id, sum(r.count)::bigint, string_agg(r.reason, ' ' order by r.reason), null, null,
           min(r.since)
         from (
           select (j.data ->> 'brand_id')::integer as brand_id, j.name || ' ' || ${reasonOf('j')} as reason, count(*) as count,
             min(j.completed_on) as since
           from pgboss.job j
           where j.state = 'failed' and j.completed_on > (select at from since) and j.name = any($3::text[])
             and not ${isUndeliveredAlert('j')}
           group by 1, 2
         ) as r
         group by r.brand_id
         union all
         select 'requests_refused', r.brand_id, greatest(r.kept, u.refused)::bigint, r.mark, r.keys, null, null
         from (
           select x.brand_id, sum(x.count) as kept, count(distinct x.key_id) as keys,
             string_agg(distinct x.key_id || x.code, ' ' order by x.key_id || x.code) as mark
           from refusals x
           where x.at > (select at from since) and x.status < 500 and x.status <> 429 group by x.brand_id
         ) as r
         -- What is kept is bounded, and usage is late by some seconds: the brands show its figure.
         cross join lateral (
           select coalesce(sum(c.refused), 0) as refused from api_key_usage c
           where c.brand_id = r.brand_id and c.hour >= date_trunc('hour', (select at from since), 'UTC') and c.key_id <> ''
         ) as u
         union all
         select 'requests_denied', u.brand_id, sum(u.denied)::bigint, string_agg(distinct u.key_id, ' ' order by u.key_id),
           null, null, null
         from api_key_usage u
         where u.denied > 0 and u.hour >= date_trunc('hour', $1::timestamptz - interval '1 hour', 'UTC') group by u.brand_id
         union all
         select s.kind, k.brand_id, count(*), string_agg(k.key_id, ' ' order by k.key_id), null, null, null
         from api_keys k
         cross join lateral (
           select 'keys_expiring' as kind where k.expires_at <= $1::timestamptz + interval '30 days'
           union all
           select 'keys_unused' where greatest(k.created_at, k.last_used_at) <= $1::timestamptz - interval '90 days'
           union all
           select 'keys_overlapping' where ${isSecondOfLineage('$1')}
         ) as s
         where ${isActive('k')}
         group by s.kind, k.brand_id
       ) as c
       left join brands b on b.id = c.brand_id
       where $2::integer[] is null or c.brand_id = any($2::integer[])`,
      [now, brandIds, queueNames],
      { long: true },
    ),
  );
}

/** Returns the concerns of the datasets of brands, whose names `names` has. */
export function lagConcerns(
  lags: readonly BrandLag[],
  yesterday: string,
  names: ReadonlyMap<number, string>,
): ConcernRow[] {
  const of = (kind: ConcernKind, { brandId }: BrandLag, count: number, mark: string): ConcernRow => {
    const brandName = names.get(brandId) ?? null;
    return { kind, brandId, brandName, count, keys: null, mark, subject: '', since: null };
  };
  return lags.flatMap((lag) => [
    ...(isBehind(lag, yesterday) ? [of('datasets_behind', lag, 1, String(lag.latestDay))] : []),
    ...(lag.dirtyDays > 0 ? [of('late_events', lag, lag.dirtyDays, String(lag.dirtyDays))] : []),
  ]);
}

/**
 * Puts the rows of a kind together, and finds which concerns are muted: by the id until they change, or until a time by all their
 * subjects, however often these fail meanwhile.
 */
export function concernsFrom(rows: readonly ConcernRow[], mutes: readonly Mute[]): Concern[] {
  const muted = new Map(mutes.map(({ id, until }) => [id, until]));
  return concernKinds.flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) return [];
    const id = idOf(
      kind,
      own.map(({ brandId, mark }) => `${brandId} ${mark}`),
    );
    const subjects = own.map(({ brandId, mark, subject }) =>
      idOf(kind, ['subject', `${brandId} ${subject ?? mark}`]),
    );
    const brands = own
      .flatMap(({ brandId, brandName, count }) =>
        brandId === null || brandName === null ? [] : [{ id: brandId, name: brandName, count }],
      )
      .sort((a, b) => b.count - a.count || a.id - b.id);
    const count = own.reduce((sum, row) => sum + row.count, 0);
    const since = earliest(own.map((row) => row.since));
    return [{ id, kind, count, brands, since, subjects, ...muteOf(muted, id, subjects) }];
  });
}

function muteOf(
  muted: ReadonlyMap<string, Date | null>,
  id: string,
  subjects: readonly string[],
): Pick<Concern, 'isMuted' | 'mutedUntil'> {
  if (muted.has(id)) return { isMuted: true, mutedUntil: muted.get(id) ?? null };
  const isMuted = subjects.every((subject) => muted.has(subject));
  return {
    isMuted,
    mutedUntil: isMuted ? earliest(subjects.map((subject) => muted.get(subject) ?? null)) : null,
  };
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.flatMap((at) => (at === null ? [] : [at.getTime()]));
  return known.length === 0 ? null : new Date(known.reduce((least, at) => Math.min(least, at)));
}

function idOf(kind: ConcernKind, parts: readonly string[]): string {
  return `${kind}.${hash('sha256', parts.toSorted().join('\n')).slice(0, 16)}`;
}

export interface LagSources extends Pick<AnalyticsContext, 'analytics' | 'clock'> {
  readonly database: Queryable;
}

/** Reads how far the datasets of some brands are, with their dirty days up to a day; null: the store is unavailable. */
export async function readLags(
  { database, analytics }: LagSources,
  reach: BrandReach,
  dirtyUntil: Day,
): Promise<readonly BrandLag[] | null> {
  const brandIds = reach ?? (await listBrandIds(database));
  if (brandIds.length === 0) return [];
  try {
    return await analytics.listLags(brandIds, { size: brandIds.length, offset: 0, dirtyUntil });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'analytics_unavailable') return null;
    throw error;
  }
}

/** Returns whether the last aggregated day of a brand is before a day. A brand without any is not behind. */
export function isBehind({ latestDay }: BrandLag, day: Day): boolean {
  return latestDay !== null && latestDay < day;
}
