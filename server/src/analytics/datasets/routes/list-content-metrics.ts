import { Type } from 'typebox';
import { readOperation } from '../../analytics-operation.ts';
import type { Day } from '../../day.ts';
import { listListedContents } from '../../queries/list-contents.ts';
import { ContentRowWire, contentRowExample, contentRowToWire } from '../content-wire.ts';
import { contentFilter, cursorQuery, typeFilter, windowQuery } from '../dataset-parameters.ts';
import { contentCondition, requireTypeOfContent } from '../filters.ts';
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
      schema: keysetListOf(ContentRowWire),
      example: { data: [contentRowExample], meta: { per_page: 100, next_cursor: null } },
    },
  },
  errors: ['invalid_cursor', 'not_found', 'date_range_too_large', 'analytics_unavailable'],
  handle: async (context, { caller, query }) => {
    const { brandId } = caller;
    const { database, analytics } = context;
    const { type, content } = query;
    requireTypeOfContent(query);
    const binding = { brandId, dataset: 'contents', filters: { type, content } };
    const walk = readWalk<[number, Day]>(context, binding, query, contentsWindow);
    const condition = await contentCondition(database, brandId, query);

    const read = await analytics.listContents(
      brandId,
      { range: walk.range, ...(type !== undefined && { contentType: type }), ...condition },
      walk.after && { contentRefId: walk.after[0], day: walk.after[1] },
      walk.perPage + 1,
    );
    const { rows, meta } = walk.cut(read, ({ contentRefId, day }) => [contentRefId, day]);
    const contents = await listListedContents(
      database,
      brandId,
      rows.map(({ contentRefId }) => contentRefId),
    );
    const data = rows.map((row) => contentRowToWire(row, contents.get(row.contentRefId)));
    return { status: 200, body: { data, meta } };
  },
});
