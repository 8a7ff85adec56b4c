import { Type } from 'typebox';
import {
  ContentEngagementRowWire,
  contentEngagementRowExample,
  contentEngagementRowToWire,
} from '../content-engagement-wire.ts';
import { contentFilter, typeFilter, userFilter } from '../dataset-parameters.ts';
import { keysetOperation } from '../keyset-operation.ts';

const completedFilter = Type.Optional(
  Type.Boolean({
    description: 'Only rows with this `is_completed`. Pages are still filled.',
    examples: [true],
  }),
);

/** Filters in the store, so that pages stay full [analytics-16] [analytics-17]. */
export const listUserContentsOperation = keysetOperation({
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
