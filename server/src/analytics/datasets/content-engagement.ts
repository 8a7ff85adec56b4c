import { type Static, Type } from 'typebox';
import type { ListedContent } from '../directory-store.ts';
import type { ContentEngagementRow } from '../store/datasets.ts';
import {
  ContentTypeWire,
  Count,
  contentFilter,
  contentReference,
  DayWire,
  meanOf,
  percentage,
  Rate,
  Seconds,
  typeFilter,
  UserWire,
  userFilter,
} from './dataset-wire.ts';
import { keysetOperation } from './keyset-operation.ts';

/** One row per user, content and day [analytics-38]. */
export const ContentEngagementRowWire = Type.Object({
  date: DayWire,
  user: UserWire,
  content: contentReference({ tu_id: Type.String(), type: ContentTypeWire }),
  metrics: Type.Object({
    views: Count(),
    xp_earned: Count(),
    time_spent_seconds: Seconds(),
    is_completed: Type.Boolean(),
    is_successful: Type.Boolean(),
    questions_count: Count(),
    quiz_average_score: Rate(),
    quiz_completion_rate: Rate(),
  }),
  cumulative: Type.Object({
    views: Count(),
    xp_earned: Count(),
    time_spent_seconds: Seconds(),
    quiz_average_score: Rate(),
  }),
});

/** @param content undefined for an orphaned reference */
function contentEngagementRowToWire(
  row: ContentEngagementRow,
  learnerTuId: string,
  content: ListedContent | undefined,
): Static<typeof ContentEngagementRowWire> {
  const { cumulative } = row;
  return {
    date: row.day,
    user: { tu_id: learnerTuId },
    content: content === undefined ? null : { tu_id: content.tuId, type: content.type },
    metrics: {
      views: row.views,
      xp_earned: row.xpEarned,
      time_spent_seconds: row.timeSpentSeconds,
      is_completed: row.isCompleted,
      is_successful: row.isSuccessful,
      questions_count: row.questions,
      quiz_average_score: meanOf(row.score),
      quiz_completion_rate: percentage(row.answered, row.questions),
    },
    cumulative: {
      views: cumulative.views,
      xp_earned: cumulative.xpEarned,
      time_spent_seconds: cumulative.timeSpentSeconds,
      quiz_average_score: meanOf(cumulative.score),
    },
  };
}

const contentEngagementRowExample: Static<typeof ContentEngagementRowWire> = {
  date: '2026-03-01',
  user: { tu_id: 'u-4711' },
  content: { tu_id: 'ep-12', type: 'episode' },
  metrics: {
    views: 2,
    xp_earned: 20,
    time_spent_seconds: 540,
    is_completed: true,
    is_successful: false,
    questions_count: 5,
    quiz_average_score: 80,
    quiz_completion_rate: 100,
  },
  cumulative: { views: 4, xp_earned: 30, time_spent_seconds: 1_260, quiz_average_score: 72.5 },
};

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
