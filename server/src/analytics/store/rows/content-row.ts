import type { ContentRow } from '../dataset-rows.ts';
import { countsAt, meanAt, numberAt, packDataset, textAt } from './packed-dataset.ts';

const figures = [
  'views',
  'completions',
  'successes',
  'total_users',
  'unique_views',
  'active_users',
  'xp_earned',
  'time_spent_seconds',
  'questions',
  'score_sum',
  'score_count',
  'cumulative_views',
  'cumulative_completions',
  'cumulative_successes',
  'cumulative_progress_sum',
  'cumulative_progress_count',
  'cumulative_score_sum',
  'cumulative_score_count',
] as const;

export const contentKey = ['content_ref_id', 'day'] as const;

export const contentRows = packDataset(
  [...contentKey, ...figures],
  (row, at): ContentRow => ({
    contentRefId: numberAt(row, at.content_ref_id),
    day: textAt(row, at.day),
    ...countsAt(row, at.views),
    uniqueViews: numberAt(row, at.unique_views),
    activeLearners: numberAt(row, at.active_users),
    totalLearners: numberAt(row, at.total_users),
    xpEarned: numberAt(row, at.xp_earned),
    timeSpentSeconds: numberAt(row, at.time_spent_seconds),
    questions: numberAt(row, at.questions),
    score: meanAt(row, at.score_sum),
    cumulative: {
      ...countsAt(row, at.cumulative_views),
      progress: meanAt(row, at.cumulative_progress_sum),
      score: meanAt(row, at.cumulative_score_sum),
    },
  }),
);
