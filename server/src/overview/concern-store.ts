import { hash } from 'node:crypto';
import { isSecondOfLineage } from '../access/api-keys/api-key-store.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { Day } from '../analytics/day.ts';
import type { BrandLag } from '../analytics/store/day-lists-store.ts';
import type { BrandReach } from '../api/access.ts';
import { listBrandIds } from '../brands/brand-store.ts';
import { openRefusedLines } from '../catalog/feeds/feed-store.ts';
import { ApiError } from '../errors/api-error.ts';
import { queueNames } from '../jobs/job.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

export const concernKinds = [
  'feeds_failed',
  'feeds_waiting',
  'lines_failed',
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
       select c.kind, c.brand_id as "brandId", b.name as "brandName", c.count, c.mark, c.keys from (
         select 'feeds_failed' as kind, f.brand_id, count(*) as count, max(f.id)::text as mark, null::bigint as keys
         from stock_feeds f
         where f.status = 'failed' and f.finished_at > (select at from since) group by f.brand_id
         union all
         select 'feeds_waiting', f.brand_id, count(*), min(f.id)::text, null from stock_feeds f
         where f.finished_at is null and f.received_at < $1::timestamptz - ${oldFeed} group by f.brand_id
         union all
         select 'lines_failed', o.brand_id, sum(o.lines)::bigint, max(o.id)::text, null from (
           select f.brand_id, f.id, ${openRefusedLines.lines('f')} as lines from stock_feeds f
           where ${openRefusedLines.condition('f')} and f.finished_at > (select at from since)
         ) as o where o.lines > 0 group by o.brand_id
         union all
         select 'jobs_failed', (j.data ->> 'brand_id')::integer, count(*), max(j.completed_on)::text, null from pgboss.job j
         where j.state = 'failed' and j.completed_on > (select at from since) and j.name = any($3::text[])
         group by (j.data ->> 'brand_id')::integer
         union all
         select 'requests_refused', r.brand_id, sum(r.count)::bigint,
           string_agg(distinct r.key_id || r.code, ' ' order by r.key_id || r.code), count(distinct r.key_id)
         from refusals r
         where r.at > (select at from since) and r.status < 500 and r.status <> 429 group by r.brand_id
         union all
         select 'requests_denied', u.brand_id, sum(u.denied)::bigint, string_agg(distinct u.key_id, ' ' order by u.key_id),
           null
         from api_key_usage u
         where u.denied > 0 and u.hour >= date_trunc('hour', $1::timestamptz - interval '1 hour', 'UTC') group by u.brand_id
         union all
         select s.kind, k.brand_id, count(*), string_agg(k.key_id, ' ' order by k.key_id), null
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
    return { kind, brandId, brandName: names.get(brandId) ?? null, count, keys: null, mark };
  };
  return lags.flatMap((lag) => [
    ...(isBehind(lag, yesterday) ? [of('datasets_behind', lag, 1, String(lag.latestDay))] : []),
    ...(lag.dirtyDays > 0 ? [of('late_events', lag, lag.dirtyDays, String(lag.dirtyDays))] : []),
  ]);
}

interface Mute {
  readonly id: string;
  readonly until: Date | null;
}

export function listMutes(database: Queryable, now: Date): Promise<Mute[]> {
  return database.run(
    statement<Mute>(
      'list_mutes',
      `select id, muted_until as until from muted_concerns
       where muted_until is null or muted_until > $1::timestamptz`,
      [now],
    ),
  );
}

/** Puts the rows of a kind together, and finds which concerns are muted. */
export function concernsFrom(rows: readonly ConcernRow[], mutes: readonly Mute[]): Concern[] {
  const mutedUntil = new Map(mutes.map(({ id, until }) => [id, until]));
  return concernKinds.flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) return [];
    const id = `${kind}.${digestOf(own)}`;
    const brands = own
      .flatMap(({ brandId, brandName, count }) =>
        brandId === null || brandName === null ? [] : [{ id: brandId, name: brandName, count }],
      )
      .sort((a, b) => b.count - a.count || a.id - b.id);
    const count = own.reduce((sum, row) => sum + row.count, 0);
    return [{ id, kind, count, brands, isMuted: mutedUntil.has(id), mutedUntil: mutedUntil.get(id) ?? null }];
  });
}

function digestOf(rows: readonly ConcernRow[]): string {
  const marks = rows.map(({ brandId, mark }) => `${brandId} ${mark}`).sort();
  return hash('sha256', marks.join('\n')).slice(0, 16);
}

const mostDays = 90;

/** Mutes a concern, and forgets mutes that are older than 90 days. */
export async function muteConcern(
  tx: Transaction,
  { id, until, actor }: Mute & { readonly actor: string },
): Promise<void> {
  await tx.run(
    statement<never>(
      'mute_concern',
      `with old as (delete from muted_concerns where muted_at < now_ms() - interval '${mostDays} days' and id <> $1)
       insert into muted_concerns (id, muted_until, actor) values ($1, $2, $3)
       on conflict (id) do update set muted_at = now_ms(), muted_until = excluded.muted_until, actor = excluded.actor`,
      [id, until, actor],
    ),
  );
}

/** Returns whether the concern was muted. */
export async function unmuteConcern(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.run(
    statement<{ id: string }>('unmute_concern', 'delete from muted_concerns where id = $1 returning id', [
      id,
    ]),
  );
  return rows.length > 0;
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
