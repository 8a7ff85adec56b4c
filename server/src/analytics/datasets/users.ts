import { type Static, Type } from 'typebox';
import { NamedObject } from '../../api/field-schemas.ts';
import type { ListedContent } from '../directory-reads-store.ts';
import type { ContentEngagementRow, CountsByType, LearnerDayRow } from '../store/dataset-rows.ts';
import { keysetOperation } from './dataset-lists.ts';
import {
  alwaysNull,
  ContentTypeWire,
  Count,
  CountsWire,
  contentFilter,
  contentReference,
  countsToWire,
  DayWire,
  Rate,
  Seconds,
  typeFilter,
  UserWire,
  userFilter,
} from './dataset-schemas.ts';
import { meanOf, percentage } from './rounding.ts';

const CountsByTypeWire = {
  ...CountsWire,
  episodes: Type.Object(CountsWire),
  programs: Type.Object(CountsWire),
  quests: Type.Object(CountsWire),
};

/** One row per user and day [analytics-33]. */
export const UserRowWire = NamedObject('UserDayRow', {
  date: DayWire,
  user: UserWire,
  market: alwaysNull(),
  pos: alwaysNull(),
  metrics: Type.Object({
    ...CountsByTypeWire,
    xp_earned: Count(),
    time_spent_seconds: Seconds(),
    overall_score: Rate(),
  }),
  cumulative: Type.Object(CountsByTypeWire),
});

function userRowToWire(row: LearnerDayRow, tuId: string): Static<typeof UserRowWire> {
  return {
    date: row.day,
    user: { tu_id: tuId },
    market: null,
    pos: null,
    metrics: {
      ...countsByTypeToWire(row),
      xp_earned: row.xpEarned,
      time_spent_seconds: row.timeSpentSeconds,
      overall_score: meanOf(row.score),
    },
    cumulative: countsByTypeToWire(row.cumulative),
  };
}

function countsByTypeToWire(counts: CountsByType) {
  return {
    ...countsToWire(counts),
    episodes: countsToWire(counts.episode),
    programs: countsToWire(counts.program),
    quests: countsToWire(counts.quest),
  };
}

const userRowExample: Static<typeof UserRowWire> = {
  date: '2026-03-01',
  user: { tu_id: 'u-4711' },
  market: null,
  pos: null,
  metrics: {
    views: 3,
    completions: 2,
    successes: 1,
    episodes: { views: 2, completions: 2, successes: 1 },
    programs: { views: 1, completions: 0, successes: 0 },
    quests: { views: 0, completions: 0, successes: 0 },
    xp_earned: 40,
    time_spent_seconds: 960,
    overall_score: 87.5,
  },
  cumulative: {
    views: 38,
    completions: 25,
    successes: 17,
    episodes: { views: 30, completions: 21, successes: 15 },
    programs: { views: 6, completions: 3, successes: 1 },
    quests: { views: 2, completions: 1, successes: 1 },
  },
};

/** Returns the same 404 for unknown and excluded users and for those of another brand [analytics-16]. */
export const listUserDaysOperation = keysetOperation({
  id: 'listUserDays',
  summary: 'List learner metrics by day',
  description:
    'One row per learner and day with activity, ordered by learner, then day (ascending). Learners are pseudonymous. Rows of learners who are excluded from analytics are removed immediately, so a page may be short or empty although more pages follow: follow `cursor` until `meta.next_cursor` is null.',
  access: ['analytics.users:read'],
  dataset: 'users',
  defaultDays: 30,
  filters: { user: userFilter },
  item: UserRowWire,
  page: 'UserDayPage',
  example: userRowExample,
  show: (row, { learners }) => {
    const tuId = learners.get(row.learnerId);
    return tuId === undefined ? undefined : userRowToWire(row, tuId);
  },
});

/** One row per user, content and day [analytics-38]. */
export const ContentEngagementRowWire = NamedObject('ContentEngagementRow', {
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
  summary: 'List learner and content metrics by day',
  description:
    'One row per learner, content and day with activity, ordered by content, day (ascending), then learner. Learners are pseudonymous. Rows of learners who are excluded from analytics are removed immediately, so a page may be short or empty although more pages follow: follow `cursor` until `meta.next_cursor` is null. Quests are not included.',
  access: ['analytics.users:read'],
  dataset: 'content_engagement',
  defaultDays: 7,
  filters: { user: userFilter, type: typeFilter, content: contentFilter, completed: completedFilter },
  item: ContentEngagementRowWire,
  page: 'ContentEngagementPage',
  example: contentEngagementRowExample,
  show: (row, { learners, contents }) => {
    const tuId = learners.get(row.learnerId);
    return tuId === undefined
      ? undefined
      : contentEngagementRowToWire(row, tuId, contents.get(row.contentRefId));
  },
});
