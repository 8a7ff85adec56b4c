import { type Static, type TSchema, Type } from 'typebox';
import type { Scope } from '../../api/access.ts';
import type { ReadOperation } from '../../api/operation.ts';
import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { type AnalyticsContext, readOperation } from '../analytics-context.ts';
import {
  findDirectoryVersion,
  findListedContent,
  findShownLearner,
  type ListedContent,
} from '../directory-reads-store.ts';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import type { ContentEngagementKey, DatasetName, DatasetPage } from '../store/datasets.ts';
import { cursorQuery, keysetListOf, windowQuery } from './dataset-schemas.ts';
import { readPageVersion, versionedPage, windowHeaders } from './page-versions.ts';
import { readWalk, type WalkQuery } from './walk.ts';

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
 * Looks up what filters name. Unknown and excluded learners, and those of another brand, get the same response [analytics-16].
 * @throws ApiError `not_found`
 */
async function resolveConditions(
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

/** @throws ApiError `not_found` if there is no such thing */
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

/** What distinguishes a list with cursors from the others. */
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
  /** What the reference calls a page. */
  readonly page: string;
  readonly example: Static<Item>;
  readonly read: R;
  /** The columns that order the rows: the position that a cursor holds. */
  readonly key: readonly (keyof RowOf<R> & keyof Key)[];
  /** Returns undefined for a row of a learner who must not be shown. */
  readonly show: (row: RowOf<R>, names: ShownNames) => Static<Item> | undefined;
}

/** Defines the operation of a list with cursors: one walk over a dataset in the order of its key. */
export function keysetOperation<const R extends KeysetRead, Item extends TSchema>(
  list: KeysetList<R, Item>,
): ReadOperation<AnalyticsContext> {
  const {
    id,
    path,
    summary,
    description,
    access,
    dataset,
    filters,
    item,
    page: pageName,
    example,
    read,
    key,
    show,
  } = list;
  const window = { defaultDays: list.defaultDays, capDays: 92 };

  /** Resolves filters and cursor. @throws ApiError for those that are not valid */
  async function openWalk(context: AnalyticsContext, brandId: number, query: WalkQuery & DatasetFilters) {
    const names = Object.keys(filters) as (keyof DatasetFilters)[];
    const asked: DatasetFilters = Object.fromEntries(names.map((name) => [name, query[name]]));
    requireTypeOfContent(asked);
    const walk = readWalk(context, { brandId, dataset, filters: { ...asked } }, query, window);
    return { walk, conditions: await resolveConditions(context.database, brandId, asked) };
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
        schema: keysetListOf(item, pageName) as TSchema,
        example: { data: [example], meta: { per_page: 100, next_cursor: null } },
      },
    },
    errors: ['invalid_cursor', 'not_found', 'date_range_too_large', 'analytics_unavailable'],
    handle: async (context, { caller: { brandId }, query }) => {
      const { database, analytics, shownDirectory, clock } = context;
      const { walk, conditions } = await openWalk(context, brandId, query as WalkQuery);
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
      const { walk } = await openWalk(context, brandId, query as WalkQuery);
      return readPageVersion(context, brandId, { dataset, range: walk.range, showsDirectory: true });
    },
  });
}
