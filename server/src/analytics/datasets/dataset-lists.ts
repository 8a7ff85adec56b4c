import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import type { Scope } from '../../api/access.ts';
import { ExactFilter, Nullable, ReservedObject } from '../../api/field-schemas.ts';
import type { ReadOperation, VersionNow } from '../../api/operation.ts';
import type { ReplyVersion } from '../../api/reply.ts';
import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { type AnalyticsContext, readOperation } from '../analytics-context.ts';
import type { DayRange } from '../day.ts';
import {
  findDirectoryVersion,
  findListedContent,
  findShownLearner,
  type ListedContent,
} from '../directory-store.ts';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import type {
  ContentEngagementKey,
  Counts,
  DatasetName,
  DatasetPage,
  Mean,
  WindowState,
} from '../store/datasets.ts';
import { readWalk, type WalkQuery } from './walk.ts';

/** Query parameters that data endpoints share [analytics-7]. */

function DayParameter(options: TSchemaOptions) {
  return Type.Optional(Type.String({ format: 'date', examples: ['2026-03-01'], ...options }));
}

export function windowQuery({ defaultDays, capDays }: { defaultDays: number; capDays: number }) {
  return {
    from: DayParameter({
      description: `First day, UTC, inclusive. Default: ${defaultDays} days before \`to\`. A window has at most ${capDays} days.`,
    }),
    to: DayParameter({
      description: 'Last day, UTC, inclusive. Default: yesterday. Days after yesterday are never returned.',
    }),
  };
}

const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      format: 'opaque',
      description:
        '`meta.next_cursor` of the previous page, unchanged, with the same window and filters. Valid for 24 hours. Omitted or empty on the first page.',
      examples: [''],
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 100,
      description:
        'Rows per page, counted before hidden rows are removed. Values above 500 are reduced to 500.',
      examples: [100],
    }),
  ),
};

export const typeFilter = Type.Optional(
  Type.String({
    enum: ['episode', 'program'],
    description: 'Only contents of this type.',
    examples: ['episode'],
  }),
);

export const contentFilter = ExactFilter({
  description: '`tu_id` of a content; requires `type`. 404 if the brand has no such content.',
  examples: ['ep-12'],
});

export const userFilter = ExactFilter({
  description: '`tu_id` of a learner. 404 if there is no such learner or the learner is hidden.',
  examples: ['u-4711'],
});

export const DayWire = Type.String({ format: 'date', description: 'UTC day.' });
export const Count = () => Type.Integer({ minimum: 0 });
export const Seconds = () => Type.Integer({ minimum: 0, description: 'Seconds.' });
export const Rate = () => Type.Number({ minimum: 0, maximum: 100, description: '0 to 100, 2 decimals.' });

export const CountsWire = { views: Count(), completions: Count(), successes: Count() };

export const countsToWire = ({ views, completions, successes }: Counts): Counts => ({
  views,
  completions,
  successes,
});

export const alwaysNull = () => ReservedObject('Always null in v1.');

export const UserWire = Type.Object({ tu_id: Type.String({ description: 'Pseudonymous public id.' }) });

export function contentReference<T extends Record<string, TSchema>>(properties: T) {
  return Nullable(Type.Object(properties), {
    description: 'null if the directory does not list the content, or no longer does.',
  });
}

export const ContentTypeWire = Type.String({
  description: 'Open list: currently `episode` and `program`. Pass unknown types through.',
});

export function keysetListOf<T extends TSchema>(item: T) {
  return Type.Object({
    data: Type.Array(item, {
      description: 'May be short or empty although more pages follow: hidden rows are removed.',
    }),
    meta: Type.Object({
      per_page: Type.Integer({ minimum: 1 }),
      next_cursor: Nullable(Type.String(), { description: 'null on the last page.' }),
    }),
  });
}

/**
 * Rates and scores in responses: rounded to 2 decimals, halves away from zero, from exact sums, so that the order of days has
 * no effect. Capped at 100; 0 if the divisor is 0 [analytics-35] [analytics-40].
 */

/** 100 x part / whole. */
export function percentage(part: number, whole: number): number {
  if (whole === 0) return 0;
  return roundedQuotient(part * 100, whole) ?? roundedBigQuotient(BigInt(part) * 100n, BigInt(whole));
}

/** The mean of values from 0 to 100. */
export function meanOf({ sum, count }: Mean): number {
  if (count === 0) return 0;
  const point = sum.indexOf('.');
  const decimals = point < 0 ? 0 : sum.length - point - 1;
  const digits = point < 0 ? sum : sum.slice(0, point) + sum.slice(point + 1);
  return (
    roundedQuotient(Number(digits), 10 ** decimals * count) ??
    roundedBigQuotient(BigInt(digits), 10n ** BigInt(decimals) * BigInt(count))
  );
}

export function meanOrNull(mean: Mean): number | null {
  return mean.count === 0 ? null : meanOf(mean);
}

/**
 * Returns null if a number cannot represent the quotient exactly: that of integers below 2^53 is never rounded up to the next
 * integer. A tenth of the time of `bigint`. Requires non-negative arguments and a divisor above 0.
 */
function roundedQuotient(dividend: number, divisor: number): number | null {
  const doubled = dividend * 200 + divisor;
  if (doubled > Number.MAX_SAFE_INTEGER || divisor * 2 > Number.MAX_SAFE_INTEGER) return null;
  const hundredths = Math.floor(doubled / (divisor * 2));
  return hundredths > 10_000 ? 100 : hundredths / 100;
}

function roundedBigQuotient(dividend: bigint, divisor: bigint): number {
  const hundredths = (dividend * 200n + divisor) / (divisor * 2n);
  return hundredths > 10_000n ? 100 : Number(hundredths) / 100;
}

/** The headers of every page of the data endpoints, for the reference [analytics-48]. */
export const windowHeaders = {
  'Brandport-Window-Revision': {
    description:
      'The greatest revision of the days of the window; 0 if none is aggregated. If the last page of a walk has another one than the first, days changed in between: repeat the walk.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 57,
  },
  'Brandport-Latest-Date': {
    description: 'The `latest_date` of the dataset; absent before the first aggregation.',
    schema: { type: 'string', format: 'date' },
    example: '2026-03-01',
  },
};

/** The time for which a tag of a page with a cursor is valid: half of the cursor's, so that the rest can still be read. */
const cursorFreshMs = 12 * 3_600_000;

interface PageState {
  /** The days that can have rows. */
  readonly range: DayRange;
  readonly window: WindowState;
  /** The version of the directory; null if the rows show nothing of it. */
  readonly directory: string | null;
}

/** Returns the headers and the version of a page [analytics-49]. `next_cursor`: the one that is in its body. */
export function versionedPage(
  page: PageState,
  { next_cursor }: { readonly next_cursor: string | null },
  now: number,
): VersionNow & { readonly version: ReplyVersion } {
  const { state, headers } = versionNow(page);
  const freshUntil = next_cursor === null ? null : now + cursorFreshMs;
  return { state, headers, version: { state, freshUntil, isKept: false } };
}

export async function readPageVersion(
  { database, analytics }: Pick<AnalyticsContext, 'database' | 'analytics'>,
  brandId: number,
  { dataset, range, showsDirectory }: { dataset: DatasetName; range: DayRange; showsDirectory: boolean },
): Promise<VersionNow> {
  const [window, directory] = await Promise.all([
    analytics.readWindow(brandId, dataset, range),
    showsDirectory ? findDirectoryVersion(database, brandId) : null,
  ]);
  return versionNow({ range, window, directory });
}

function versionNow({ range, window, directory }: PageState): VersionNow {
  const { revision, latestDay, version } = window;
  return {
    // The range depends on the clock: without `to`, and up to yesterday.
    state: [range.from, range.to, version, directory ?? ''].join(' '),
    headers: {
      'brandport-window-revision': String(revision),
      ...(latestDay !== null && { 'brandport-latest-date': latestDay }),
    },
  };
}

interface DatasetFilters {
  readonly user?: string;
  readonly type?: string;
  readonly content?: string;
  readonly completed?: boolean;
}

/** @throws ApiError `validation_failed` for a content without its type [analytics-14] */
function requireTypeOfContent({ type, content }: DatasetFilters): void {
  if (content !== undefined && type === undefined) throw invalidField('type', 'is required with `content`');
}

/**
 * Unknown and excluded learners, and those of another brand, get the same response [analytics-16].
 * @throws ApiError `not_found`
 */
async function conditionsOf(
  database: Queryable,
  brandId: number,
  { user, type, content, completed }: DatasetFilters,
) {
  const contentRefId =
    content === undefined || type === undefined
      ? undefined
      : found(await findListedContent(database, brandId, type, content));
  const learnerId = user === undefined ? undefined : found(await findShownLearner(database, brandId, user));
  return {
    ...(type !== undefined && { contentType: type }),
    ...(completed !== undefined && { isCompleted: completed }),
    ...(contentRefId !== undefined && { contentRefId }),
    ...(learnerId !== undefined && { learnerId }),
  };
}

function found(id: number | null): number {
  if (id === null) throw notFound();
  return id;
}

type KeysetRead = 'listContents' | 'listLearnerDays' | 'listContentEngagement';
type RowOf<R extends KeysetRead> = Awaited<ReturnType<AnalyticsStore[R]>>['rows'][number];
type Key = Partial<ContentEngagementKey>;

interface ShownNames {
  readonly learners: ReadonlyMap<number, string>;
  readonly contents: ReadonlyMap<number, ListedContent>;
}

interface KeysetList<R extends KeysetRead, Item extends TSchema> {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly access: readonly Scope[];
  readonly dataset: DatasetName;
  readonly defaultDays: number;
  readonly filters: { readonly [Name in keyof DatasetFilters]: TSchema };
  readonly item: Item;
  readonly example: Static<Item>;
  readonly read: R;
  /** The columns that order the rows: the position that a cursor holds. */
  readonly key: readonly (keyof RowOf<R> & keyof Key)[];
  /** Returns undefined for a row of a learner who must not be shown. */
  readonly show: (row: RowOf<R>, names: ShownNames) => Static<Item> | undefined;
}

export function keysetOperation<const R extends KeysetRead, Item extends TSchema>(
  list: KeysetList<R, Item>,
): ReadOperation<AnalyticsContext> {
  const { id, path, summary, description, access, dataset, filters, item, example, read, key, show } = list;
  const window = { defaultDays: list.defaultDays, capDays: 92 };

  async function open(context: AnalyticsContext, brandId: number, query: WalkQuery & DatasetFilters) {
    const names = Object.keys(filters) as (keyof DatasetFilters)[];
    const asked: DatasetFilters = Object.fromEntries(names.map((name) => [name, query[name]]));
    requireTypeOfContent(asked);
    const walk = readWalk(context, { brandId, dataset, filters: { ...asked } }, query, window);
    return { walk, conditions: await conditionsOf(context.database, brandId, asked) };
  }

  return readOperation({
    id,
    method: 'GET',
    path,
    tag: 'Analytics',
    summary,
    description,
    access,
    query: Type.Object({ ...windowQuery(window), ...filters, ...cursorQuery }) as TSchema,
    responses: {
      200: {
        description: 'One page of rows.',
        headers: windowHeaders,
        schema: keysetListOf(item) as TSchema,
        example: { data: [example], meta: { per_page: 100, next_cursor: null } },
      },
    },
    errors: ['invalid_cursor', 'not_found', 'date_range_too_large', 'analytics_unavailable'],
    handle: async (context, { caller: { brandId }, query }) => {
      const { database, analytics, shownDirectory, clock } = context;
      const { walk, conditions } = await open(context, brandId, query as WalkQuery);
      const { range, after, perPage } = walk;
      const last = after && Object.fromEntries(key.map((column, index) => [column, after[index]]));
      const [page, directory] = await Promise.all([
        // Cast: each read takes its own key and conditions; the union has all.
        analytics[read as KeysetRead](
          brandId,
          { range, ...conditions },
          { after: last as ContentEngagementKey | null, limit: perPage + 1 },
        ) as Promise<DatasetPage<RowOf<R>>>,
        findDirectoryVersion(database, brandId),
      ]);
      const { rows, meta } = walk.cut(page.rows, (row) =>
        key.map((column) => row[column] as string | number),
      );
      const at = { database, brandId, version: directory };
      const idsOf = (column: 'learnerId' | 'contentRefId') => rows.flatMap((row: Key) => row[column] ?? []);
      const [learners, contents] = await Promise.all([
        shownDirectory.learners(at, idsOf('learnerId')),
        shownDirectory.contents(at, idsOf('contentRefId')),
      ]);
      const data = rows.flatMap((row) => show(row, { learners, contents }) ?? []);
      const { headers, version } = versionedPage(
        { range, window: page.window, directory },
        meta,
        clock.now(),
      );
      return { status: 200, body: { data, meta }, headers, version };
    },
    currentVersion: async (context, { caller: { brandId }, query }) => {
      const { walk } = await open(context, brandId, query as WalkQuery);
      return readPageVersion(context, brandId, { dataset, range: walk.range, showsDirectory: true });
    },
  });
}
