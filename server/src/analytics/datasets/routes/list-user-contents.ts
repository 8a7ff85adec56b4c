import { type Static, Type } from 'typebox';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { readOperation } from '../../analytics-operation.ts';
import type { Day } from '../../day.ts';
import { findDirectoryVersion } from '../../queries/find-directory-version.ts';
import {
  ContentEngagementRowWire,
  contentEngagementRowExample,
  contentEngagementRowToWire,
} from '../content-engagement-wire.ts';
import { contentFilter, cursorQuery, typeFilter, userFilter, windowQuery } from '../dataset-parameters.ts';
import { contentCondition, learnerCondition, requireTypeOfContent } from '../filters.ts';
import { readPageVersion, versionedPage, windowHeaders } from '../page-version.ts';
import { contentEngagementWindow, readWalk } from '../walk.ts';
import { keysetListOf } from '../wire-parts.ts';

const UserContentsQuery = Type.Object({
  ...windowQuery(contentEngagementWindow),
  user: userFilter,
  type: typeFilter,
  content: contentFilter,
  completed: Type.Optional(
    Type.Boolean({
      description: 'Only rows with this `is_completed`. Pages are still filled.',
      examples: [true],
    }),
  ),
  ...cursorQuery,
});

/** Filters in the store, so that pages stay full [analytics-16] [analytics-17]. */
export const listUserContentsOperation = readOperation({
  id: 'listUserContents',
  method: 'GET',
  path: '/users/contents',
  tag: 'Analytics',
  summary: 'List learner and content metrics by day',
  description:
    'One row per learner, content and day with activity, ordered by content, day (ascending), then learner. Learners are pseudonymous. Rows of learners who are excluded from analytics are removed immediately, so a page may be short or empty although more pages follow: follow `cursor` until `meta.next_cursor` is null. Quests are not included.',
  access: ['analytics.users:read'],
  query: UserContentsQuery,
  responses: {
    200: {
      description: 'One page of rows.',
      headers: windowHeaders,
      schema: keysetListOf(ContentEngagementRowWire),
      example: { data: [contentEngagementRowExample], meta: { per_page: 100, next_cursor: null } },
    },
  },
  errors: ['invalid_cursor', 'not_found', 'date_range_too_large', 'analytics_unavailable'],
  handle: async (context, { caller, query }) => {
    const { brandId } = caller;
    const { database, analytics, shownDirectory, clock } = context;
    const walk = walkOf(context, brandId, query);
    const conditions = await conditionsOf(database, brandId, query);

    const [page, directory] = await Promise.all([
      analytics.listContentEngagement(
        brandId,
        { range: walk.range, ...conditions },
        walk.after && { contentRefId: walk.after[0], day: walk.after[1], learnerId: walk.after[2] },
        walk.perPage + 1,
      ),
      findDirectoryVersion(database, brandId),
    ]);
    const { rows, meta } = walk.cut(page.rows, ({ contentRefId, day, learnerId }) => [
      contentRefId,
      day,
      learnerId,
    ]);
    const at = { database, brandId, version: directory };
    const [shown, contents] = await Promise.all([
      shownDirectory.learners(
        at,
        rows.map(({ learnerId }) => learnerId),
      ),
      shownDirectory.contents(
        at,
        rows.map(({ contentRefId }) => contentRefId),
      ),
    ]);
    const data = rows.flatMap((row) => {
      const tuId = shown.get(row.learnerId);
      return tuId === undefined
        ? []
        : [contentEngagementRowToWire(row, tuId, contents.get(row.contentRefId))];
    });
    const { range } = walk;
    const { headers, version } = versionedPage({ range, window: page.window, directory }, meta, clock.now());
    return { status: 200, body: { data, meta }, headers, version };
  },
  currentVersion: async (context, { caller, query }) => {
    const { range } = walkOf(context, caller.brandId, query);
    await conditionsOf(context.database, caller.brandId, query);
    const dataset = 'content_engagement';
    return readPageVersion(context, caller.brandId, { dataset, range, showsDirectory: true });
  },
});

type Query = Static<typeof UserContentsQuery>;

function walkOf(context: AnalyticsContext, brandId: number, query: Query) {
  requireTypeOfContent(query);
  const { user, type, content, completed } = query;
  const binding = { brandId, dataset: 'content_engagement', filters: { user, type, content, completed } };
  return readWalk<[number, Day, number]>(context, binding, query, contentEngagementWindow);
}

async function conditionsOf(database: AnalyticsContext['database'], brandId: number, query: Query) {
  const { user, type, completed } = query;
  return {
    ...(type !== undefined && { contentType: type }),
    ...(completed !== undefined && { isCompleted: completed }),
    ...(await contentCondition(database, brandId, query)),
    ...(await learnerCondition(database, brandId, user)),
  };
}
