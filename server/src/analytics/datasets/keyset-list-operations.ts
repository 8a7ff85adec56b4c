import { Type } from 'typebox';
import type { Operation } from '../../api/operation.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import {
  ContentEngagementRowWire,
  contentEngagementRowExample,
  contentEngagementRowToWire,
} from './content-engagement-wire.ts';
import { ContentRowWire, contentRowExample, contentRowToWire } from './content-wire.ts';
import { contentFilter, typeFilter, userFilter } from './dataset-parameters.ts';
import { keysetOperation } from './keyset-operation.ts';
import { UserRowWire, userRowExample, userRowToWire } from './user-wire.ts';

/** Includes rows of contents that are not listed [analytics-14] [analytics-19]. */
const listContentMetricsOperation = keysetOperation({
  id: 'listContentMetrics',
  path: '/metrics/contents',
  summary: 'List content metrics by day',
  description:
    'One row per content and day with activity, ordered by content, then day (ascending). Follow `cursor` until `meta.next_cursor` is null. Quests are not included.',
  access: ['analytics.metrics:read'],
  dataset: 'contents',
  defaultDays: 30,
  filters: { type: typeFilter, content: contentFilter },
  item: ContentRowWire,
  example: contentRowExample,
  read: 'listContents',
  key: ['contentRefId', 'day'],
  show: (row, { contents }) => contentRowToWire(row, contents.get(row.contentRefId)),
});

/** Returns the same 404 for unknown and excluded users and for those of another brand [analytics-16]. */
const listUserDaysOperation = keysetOperation({
  id: 'listUserDays',
  path: '/users/daily',
  summary: 'List learner metrics by day',
  description:
    'One row per learner and day with activity, ordered by learner, then day (ascending). Learners are pseudonymous. Rows of learners who are excluded from analytics are removed immediately, so a page may be short or empty although more pages follow: follow `cursor` until `meta.next_cursor` is null.',
  access: ['analytics.users:read'],
  dataset: 'users',
  defaultDays: 30,
  filters: { user: userFilter },
  item: UserRowWire,
  example: userRowExample,
  read: 'listLearnerDays',
  key: ['learnerId', 'day'],
  show: (row, { learners }) => {
    const tuId = learners.get(row.learnerId);
    return tuId === undefined ? undefined : userRowToWire(row, tuId);
  },
});

const completedFilter = Type.Optional(
  Type.Boolean({
    description: 'Only rows with this `is_completed`. Pages are still filled.',
    examples: [true],
  }),
);

/** Filters in the store, so that pages stay full [analytics-16] [analytics-17]. */
const listUserContentsOperation = keysetOperation({
  id: 'listUserContents',
  path: '/users/contents',
  summary: 'List learner and content metrics by day',
  description:
    'One row per learner, content and day with activity, ordered by content, day (ascending), then learner. Learners are pseudonymous. Rows of learners who are excluded from analytics are removed immediately, so a page may be short or empty although more pages follow: follow `cursor` until `meta.next_cursor` is null. Quests are not included.',
  access: ['analytics.users:read'],
  dataset: 'content_engagement',
  defaultDays: 7,
  filters: { user: userFilter, type: typeFilter, content: contentFilter, completed: completedFilter },
  item: ContentEngagementRowWire,
  example: contentEngagementRowExample,
  read: 'listContentEngagement',
  key: ['contentRefId', 'day', 'learnerId'],
  show: (row, { learners, contents }) => {
    const tuId = learners.get(row.learnerId);
    return tuId === undefined
      ? undefined
      : contentEngagementRowToWire(row, tuId, contents.get(row.contentRefId));
  },
});

export const keysetListOperations: readonly Operation<AnalyticsContext>[] = [
  listContentMetricsOperation, // GET /metrics/contents
  listUserDaysOperation, //       GET /users/daily
  listUserContentsOperation, //   GET /users/contents
];
