import { type Static, Type } from 'typebox';
import { Nullable } from '../../api/field-schemas.ts';
import type { ListedContent } from '../directory-store.ts';
import type { ContentRow } from '../store/datasets.ts';
import {
  alwaysNull,
  ContentTypeWire,
  Count,
  CountsWire,
  contentFilter,
  contentReference,
  countsToWire,
  DayWire,
  meanOf,
  percentage,
  Rate,
  Seconds,
  typeFilter,
} from './dataset-wire.ts';
import { keysetOperation } from './keyset-operation.ts';

/** One row per content and day [analytics-33]. */
export const ContentRowWire = Type.Object({
  date: DayWire,
  content: contentReference({
    tu_id: Type.String(),
    type: ContentTypeWire,
    name: Nullable(Type.String(), {
      description: 'A display name that may change; join on `tu_id` and `type`.',
    }),
  }),
  market: alwaysNull(),
  pos: alwaysNull(),
  metrics: Type.Object({
    views: Count(),
    unique_views: Count(),
    completions: Count(),
    successes: Count(),
    active_users: Count(),
    total_users: Count(),
    engagement_rate: Rate(),
    xp_earned: Count(),
    time_spent_seconds: Seconds(),
    questions_count: Count(),
    quiz_average_score: Rate(),
  }),
  cumulative: Type.Object({
    ...CountsWire,
    watch_rate: Rate(),
    completion_rate: Rate(),
    success_rate: Rate(),
    quiz_average_score: Rate(),
  }),
});

/** @param content undefined for an orphaned reference */
function contentRowToWire(
  row: ContentRow,
  content: ListedContent | undefined,
): Static<typeof ContentRowWire> {
  const { cumulative } = row;
  return {
    date: row.day,
    content: content === undefined ? null : { tu_id: content.tuId, type: content.type, name: content.name },
    market: null,
    pos: null,
    metrics: {
      views: row.views,
      unique_views: row.uniqueViews,
      completions: row.completions,
      successes: row.successes,
      active_users: row.activeLearners,
      total_users: row.totalLearners,
      engagement_rate: percentage(row.activeLearners, row.totalLearners),
      xp_earned: row.xpEarned,
      time_spent_seconds: row.timeSpentSeconds,
      questions_count: row.questions,
      quiz_average_score: meanOf(row.score),
    },
    cumulative: {
      ...countsToWire(cumulative),
      watch_rate: meanOf(cumulative.progress),
      completion_rate: percentage(cumulative.completions, cumulative.views),
      success_rate: percentage(cumulative.successes, cumulative.completions),
      quiz_average_score: meanOf(cumulative.score),
    },
  };
}

const contentRowExample: Static<typeof ContentRowWire> = {
  date: '2026-03-01',
  content: { tu_id: 'ep-12', type: 'episode', name: 'Fitting a mountain boot' },
  market: null,
  pos: null,
  metrics: {
    views: 14,
    unique_views: 11,
    completions: 9,
    successes: 6,
    active_users: 12,
    total_users: 240,
    engagement_rate: 5,
    xp_earned: 180,
    time_spent_seconds: 4_210,
    questions_count: 45,
    quiz_average_score: 81.25,
  },
  cumulative: {
    views: 612,
    completions: 401,
    successes: 260,
    watch_rate: 74.9,
    completion_rate: 65.52,
    success_rate: 64.84,
    quiz_average_score: 79.33,
  },
};

/** Includes rows of contents that are not listed [analytics-14] [analytics-19]. */
export const listContentMetricsOperation = keysetOperation({
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
