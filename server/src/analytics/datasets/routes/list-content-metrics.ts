import { type Static, Type } from 'typebox';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { readOperation } from '../../analytics-operation.ts';
import type { Day } from '../../day.ts';
import { findDirectoryVersion } from '../../queries/find-directory-version.ts';
import { ContentRowWire, contentRowExample, contentRowToWire } from '../content-wire.ts';
import { contentFilter, cursorQuery, typeFilter, windowQuery } from '../dataset-parameters.ts';
import { contentCondition, requireTypeOfContent } from '../filters.ts';
import { readPageVersion, versionedPage, windowHeaders } from '../page-version.ts';
import { contentsWindow, readWalk } from '../walk.ts';
import { keysetListOf } from '../wire-parts.ts';

const ContentMetricsQuery = Type.Object({
  ...windowQuery(contentsWindow),
  type: typeFilter,
  content: contentFilter,
  ...cursorQuery,
});

/** Includes rows of contents that are not listed [analytics-14] [analytics-19]. */
export const listContentMetricsOperation = readOperation({
  id: 'listContentMetrics',
  method: 'GET',
  path: '/metrics/contents',
  tag: 'Analytics',
  summary: 'List content metrics by day',
  description:
    'One row per content and day with activity, ordered by content, then day (ascending). Follow `cursor` until `meta.next_cursor` is null. Quests are not included.',
  access: ['analytics.metrics:read'],
  query: ContentMetricsQuery,
  responses: {
    200: {
      description: 'One page of rows.',
      headers: windowHeaders,
      schema: keysetListOf(ContentRowWire),
      example: { data: [contentRowExample], meta: { per_page: 100, next_cursor: null } },
    },
  },
  errors: ['invalid_cursor', 'not_found', 'date_range_too_large', 'analytics_unavailable'],
  handle: async (context, { caller, query }) => {
    const { brandId } = caller;
    const { database, analytics, shownDirectory, clock } = context;
    const walk = walkOf(context, brandId, query);
    const condition = await contentCondition(database, brandId, query);

    const [page, directory] = await Promise.all([
      analytics.listContents(
        brandId,
        { range: walk.range, ...(query.type !== undefined && { contentType: query.type }), ...condition },
        walk.after && { contentRefId: walk.after[0], day: walk.after[1] },
        walk.perPage + 1,
      ),
      findDirectoryVersion(database, brandId),
    ]);
    const { rows, meta } = walk.cut(page.rows, ({ contentRefId, day }) => [contentRefId, day]);
    const contents = await shownDirectory.contents(
      { database, brandId, version: directory },
      rows.map(({ contentRefId }) => contentRefId),
    );
    const data = rows.map((row) => contentRowToWire(row, contents.get(row.contentRefId)));
    const { range } = walk;
    const { headers, version } = versionedPage({ range, window: page.window, directory }, meta, clock.now());
    return { status: 200, body: { data, meta }, headers, version };
  },
  currentVersion: async (context, { caller, query }) => {
    const { range } = walkOf(context, caller.brandId, query);
    await contentCondition(context.database, caller.brandId, query);
    return readPageVersion(context, caller.brandId, { dataset: 'contents', range, showsDirectory: true });
  },
});

function walkOf(context: AnalyticsContext, brandId: number, query: Static<typeof ContentMetricsQuery>) {
  requireTypeOfContent(query);
  const { type, content } = query;
  const binding = { brandId, dataset: 'contents', filters: { type, content } };
  return readWalk<[number, Day]>(context, binding, query, contentsWindow);
}
