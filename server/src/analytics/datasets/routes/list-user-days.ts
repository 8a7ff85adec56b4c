import { type Static, Type } from 'typebox';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { readOperation } from '../../analytics-operation.ts';
import type { Day } from '../../day.ts';
import { findDirectoryVersion } from '../../queries/find-directory-version.ts';
import { cursorQuery, userFilter, windowQuery } from '../dataset-parameters.ts';
import { learnerCondition } from '../filters.ts';
import { readPageVersion, versionedPage, windowHeaders } from '../page-version.ts';
import { UserRowWire, userRowExample, userRowToWire } from '../user-wire.ts';
import { readWalk, usersWindow } from '../walk.ts';
import { keysetListOf } from '../wire-parts.ts';

const UserDaysQuery = Type.Object({ ...windowQuery(usersWindow), user: userFilter, ...cursorQuery });

/** Returns the same 404 for unknown and excluded users and for those of another brand [analytics-16]. */
export const listUserDaysOperation = readOperation({
  id: 'listUserDays',
  method: 'GET',
  path: '/users/daily',
  tag: 'Analytics',
  summary: 'List learner metrics by day',
  description:
    'One row per learner and day with activity, ordered by learner, then day (ascending). Learners are pseudonymous. Rows of learners who are excluded from analytics are removed immediately, so a page may be short or empty although more pages follow: follow `cursor` until `meta.next_cursor` is null.',
  access: ['analytics.users:read'],
  query: UserDaysQuery,
  responses: {
    200: {
      description: 'One page of rows.',
      headers: windowHeaders,
      schema: keysetListOf(UserRowWire),
      example: { data: [userRowExample], meta: { per_page: 100, next_cursor: null } },
    },
  },
  errors: ['invalid_cursor', 'not_found', 'date_range_too_large', 'analytics_unavailable'],
  handle: async (context, { caller, query }) => {
    const { brandId } = caller;
    const { database, analytics, shownDirectory, clock } = context;
    const walk = walkOf(context, brandId, query);
    const condition = await learnerCondition(database, brandId, query.user);

    const [page, directory] = await Promise.all([
      analytics.listLearnerDays(
        brandId,
        { range: walk.range, ...condition },
        walk.after && { learnerId: walk.after[0], day: walk.after[1] },
        walk.perPage + 1,
      ),
      findDirectoryVersion(database, brandId),
    ]);
    const { rows, meta } = walk.cut(page.rows, ({ learnerId, day }) => [learnerId, day]);
    const shown = await shownDirectory.learners(
      { database, brandId, version: directory },
      rows.map(({ learnerId }) => learnerId),
    );
    const data = rows.flatMap((row) => {
      const tuId = shown.get(row.learnerId);
      return tuId === undefined ? [] : [userRowToWire(row, tuId)];
    });
    const { range } = walk;
    const { headers, version } = versionedPage({ range, window: page.window, directory }, meta, clock.now());
    return { status: 200, body: { data, meta }, headers, version };
  },
  currentVersion: async (context, { caller, query }) => {
    const { range } = walkOf(context, caller.brandId, query);
    await learnerCondition(context.database, caller.brandId, query.user);
    return readPageVersion(context, caller.brandId, { dataset: 'users', range, showsDirectory: true });
  },
});

function walkOf(context: AnalyticsContext, brandId: number, query: Static<typeof UserDaysQuery>) {
  const binding = { brandId, dataset: 'users', filters: { user: query.user } };
  return readWalk<[number, Day]>(context, binding, query, usersWindow);
}
