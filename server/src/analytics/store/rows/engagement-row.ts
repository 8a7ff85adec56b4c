import type { ContentEngagementRow } from '../dataset-rows.ts';
import { meanAt, numberAt, packDataset, textAt } from './packed-dataset.ts';

const figures = [
  'views',
  'completions',
  'successes',
  'xp_earned',
  'time_spent_seconds',
  'questions',
  'answered',
  'score_sum',
  'score_count',
  'cumulative_views',
  'cumulative_xp_earned',
  'cumulative_time_spent_seconds',
  'cumulative_score_sum',
  'cumulative_score_count',
] as const;

export const engagementKey = ['content_ref_id', 'day', 'user_id'] as const;

export const engagementRows = packDataset(
  [...engagementKey, ...figures],
  (row, at): ContentEngagementRow => ({
    contentRefId: numberAt(row, at.content_ref_id),
    day: textAt(row, at.day),
    learnerId: numberAt(row, at.user_id),
    views: numberAt(row, at.views),
    xpEarned: numberAt(row, at.xp_earned),
    timeSpentSeconds: numberAt(row, at.time_spent_seconds),
    isCompleted: numberAt(row, at.completions) > 0,
    isSuccessful: numberAt(row, at.successes) > 0,
    questions: numberAt(row, at.questions),
    answered: numberAt(row, at.answered),
    score: meanAt(row, at.score_sum),
    cumulative: {
      views: numberAt(row, at.cumulative_views),
      xpEarned: numberAt(row, at.cumulative_xp_earned),
      timeSpentSeconds: numberAt(row, at.cumulative_time_spent_seconds),
      score: meanAt(row, at.cumulative_score_sum),
    },
  }),
);
