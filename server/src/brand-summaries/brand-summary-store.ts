import { eventUse } from '../access/key-usage/usage-counts.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { Day } from '../analytics/day.ts';
import type { BrandReach } from '../api/access.ts';
import type { Page } from '../api/pagination.ts';
import { orderOf, type Sort } from '../api/sort.ts';
import type { Brand } from '../brands/brand.ts';
import { type BrandRow, brandColumns, brandFromRow } from '../brands/brand-store.ts';
import { failedLinesLeft } from '../catalog/feeds/feed-store.ts';
import { ApiError } from '../errors/api-error.ts';
import { Conditions, foldedSql } from '../postgres/conditions.ts';
import type { Database } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { statement } from '../postgres/statement.ts';

/** Counts of the last 24 hours of a brand; requests since the start of the first of these hours. */
interface DayFigures {
  readonly requests: number;
  readonly refused: number;
  readonly denied: number;
  readonly failedLines: number;
}

const usageOf = (column: string) => `coalesce((
    select sum(u.${column}) from api_key_usage u
    where u.brand_id = b.id and u.hour >= date_trunc('hour', now_ms() - interval '24 hours', 'UTC')
      and u.key_id <> '${eventUse.keyId}'
  ), 0)::bigint`;

const failedLinesOf = (brandId: string) => `coalesce((
    select sum(${failedLinesLeft.lines('x')}) from stock_feeds x
    where x.brand_id = ${brandId} and ${failedLinesLeft.condition('x')} and x.finished_at > now_ms() - interval '24 hours'
  ), 0)::bigint`;

/** The columns of `brands b`: rows of the brand by their indexes, nothing that grows with the catalog. */
const dayColumns = `${usageOf('requests')} as requests, ${usageOf('refused')} as refused, ${usageOf('denied')} as denied,
  ${failedLinesOf('b.id')} as "failedLines"`;

export const brandSortColumns = {
  name: foldedSql('b.name'),
  created_at: 'b.created_at',
  requests_24h: 'requests',
  refused_24h: 'refused',
  denied_24h: 'denied',
  failed_lines_24h: '"failedLines"',
} as const;

type BrandSort = Sort<keyof typeof brandSortColumns>;

interface BrandFilter {
  /** A part of the name in upper or lower case, or the id. */
  readonly search?: string | undefined;
  /** null: all. */
  readonly brandIds: BrandReach;
}

export interface ListedBrand {
  readonly brand: Brand;
  readonly day: DayFigures;
}

/**
 * Lists one page of the brands that match, by id unless sorted, and counts all. A search reads all brands; sorting by a figure
 * reads the figures of all.
 */
export async function listBrands(
  database: Database,
  { search, brandIds }: BrandFilter,
  page: Page,
  sort?: BrandSort,
): Promise<{ rows: ListedBrand[]; total: number }> {
  const where = new Conditions([], []);
  const found = (text: string) =>
    `(strpos(${foldedSql('b.name')}, ${foldedSql(`${text}::text`)}) > 0 or b.id::text = ${text}::text)`;
  where.add('_search', found, search);
  where.addBrands('b.id', brandIds);
  const { code, orderBy } = orderOf(brandSortColumns, sort, 'b.id');
  const columns = `${brandColumns}, ${dayColumns}`;
  const list = { name: `brands${where.code}${code}`, columns, from: 'brands b', where, orderBy };
  const { rows, total } = await readPage<BrandRow & DayFigures>(database, list, page);
  return {
    rows: rows.map(({ requests, refused, denied, failedLines, ...row }) => ({
      brand: brandFromRow(row),
      day: { requests, refused, denied, failedLines },
    })),
    total,
  };
}

interface BrandFigures {
  readonly brandId: number;
  readonly products: number;
  readonly activeKeys: number;
  readonly lastRequestAt: Date | null;
  readonly oldestFeedAt: Date | null;
  readonly failedLines: number;
}

/** Reads a counter, the keys and feed tokens, and the first unfinished feed: nothing that grows with the catalog. */
function listBrandFigures(
  database: Database,
  brandIds: readonly number[],
  now: Date,
): Promise<BrandFigures[]> {
  return database.run(
    statement<BrandFigures>(
      'list_brand_figures',
      `select g.id as "brandId", coalesce(c.products_total, 0) as products, k.active_keys as "activeKeys",
         greatest(k.last_used_at, t.last_used_at) as "lastRequestAt", f.received_at as "oldestFeedAt",
         ${failedLinesOf('g.id')} as "failedLines"
       from unnest($1::integer[]) as g (id)
       left join brand_catalogs c on c.brand_id = g.id
       cross join lateral (
         select count(*) filter (where revoked_at is null and (expires_at is null or expires_at > $2::timestamptz))
             as active_keys,
           max(last_used_at) as last_used_at
         from api_keys where brand_id = g.id
       ) as k
       cross join lateral (select max(last_used_at) as last_used_at from feed_tokens where brand_id = g.id) as t
       left join lateral (
         select received_at from stock_feeds where brand_id = g.id and finished_at is null order by id limit 1
       ) as f on true`,
      [brandIds, now],
      { long: true },
    ),
  );
}

const hourMs = 3_600_000;
const shownHours = 24;

/**
 * Reads the requests of brands in each of the 24 hours before the current one, the oldest first: as many rows of usage as
 * `requests_24h` of them.
 */
export async function listHourlyRequests(
  database: Database,
  brandIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (brandIds.length === 0) return new Map();
  const end = Math.floor(now / hourMs) * hourMs;
  const begin = end - shownHours * hourMs;
  const rows = await database.run(
    statement<{ readonly brandId: number; readonly hour: Date; readonly requests: number }>(
      'list_hourly_requests',
      `select brand_id as "brandId", hour, sum(requests)::bigint as requests from api_key_usage
       where brand_id = any($1::integer[]) and hour >= $2::timestamptz and hour < $3::timestamptz
         and key_id <> '${eventUse.keyId}'
       group by brand_id, hour`,
      [brandIds, new Date(begin), new Date(end)],
      { long: true },
    ),
  );
  const lines = new Map(brandIds.map((id) => [id, Array<number>(shownHours).fill(0)]));
  for (const { brandId, hour, requests } of rows) {
    const line = lines.get(brandId);
    if (line !== undefined) line[(hour.getTime() - begin) / hourMs] = requests;
  }
  return lines;
}

export interface BrandSummary extends Omit<BrandFigures, 'brandId'> {
  /** The last aggregated day; null without one, or while the analytics store is unavailable. */
  readonly latestDay: Day | null;
}

/** One statement for each database. Without the analytics store, everything else is still returned. */
export async function readSummaries(
  { database, analytics, clock }: Pick<AnalyticsContext, 'database' | 'analytics' | 'clock'>,
  brandIds: readonly number[],
): Promise<ReadonlyMap<number, BrandSummary>> {
  if (brandIds.length === 0) return new Map();
  const [figures, lags] = await Promise.all([
    listBrandFigures(database, brandIds, new Date(clock.now())),
    analytics.listLags(brandIds, { size: brandIds.length, offset: 0 }).catch(ignoreUnavailable),
  ]);
  const latestDays = new Map(lags.map(({ brandId, latestDay }) => [brandId, latestDay]));
  return new Map(
    figures.map(({ brandId, ...rest }) => [brandId, { ...rest, latestDay: latestDays.get(brandId) ?? null }]),
  );
}

function ignoreUnavailable(error: unknown): [] {
  if (error instanceof ApiError && error.code === 'analytics_unavailable') return [];
  throw error;
}
