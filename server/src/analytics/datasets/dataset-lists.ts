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
import type { DatasetRow } from '../store/dataset-rows.ts';
import { type KeysetDataset, keyFields, type RowKey, shapeOf } from '../store/datasets.ts';
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

interface ShownNames {
  readonly learners: ReadonlyMap<number, string>;
  readonly contents: ReadonlyMap<number, ListedContent>;
}

/** What distinguishes a list with cursors from the others. */
interface KeysetList<Name extends KeysetDataset, Item extends TSchema> {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly access: readonly Scope[];
  readonly dataset: Name;
  readonly defaultDays: number;
  readonly filters: { readonly [Name in keyof DatasetFilters]: TSchema };
  readonly item: Item;
  /** What the reference calls a page. */
  readonly page: string;
  readonly example: Static<Item>;
  /** Returns undefined for a row of a learner who must not be shown. */
  readonly show: (row: DatasetRow<Name>, names: ShownNames) => Static<Item> | undefined;
}

/** Defines the operation of a list with cursors: one walk over a dataset in the order of its shape. */
export function keysetOperation<const Name extends KeysetDataset, Item extends TSchema>(
  list: KeysetList<Name, Item>,
): ReadOperation<AnalyticsContext> {
  const { id, summary, description, access, dataset, filters, item, page: pageName, example, show } = list;
  const { order, path, capDays } = shapeOf(dataset);
  const key = order.map((column) => keyFields[column]);
  const window = { defaultDays: list.defaultDays, capDays };

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
        analytics.listRows(brandId, dataset, {
          ...{ range, ...conditions },
          ...{ after: last as RowKey | null, limit: perPage + 1 },
        }),
        findDirectoryVersion(database, brandId),
      ]);
      const { rows, meta } = walk.cut(page.rows, (row) =>
        key.map((field) => (row as Readonly<Record<string, unknown>>)[field] as string | number),
      );
      const at = { database, brandId, version: directory };
      const idsOf = (column: 'learnerId' | 'contentRefId') =>
        rows.flatMap((row: RowKey) => row[column] ?? []);
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
