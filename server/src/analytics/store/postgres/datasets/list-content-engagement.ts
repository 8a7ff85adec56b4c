import type { Queryable } from '../../../../postgres/database.ts';
import type {
  ContentEngagementKey,
  ContentEngagementQuery,
  ContentEngagementRow,
} from '../../dataset-rows.ts';
import { keysetPage } from './keyset-page.ts';
import { type DatasetRow, meanOf, numberOf, textOf } from './row-parts.ts';

const columns = [
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
];

const completed = { code: 'd', sql: 'completions > 0' };
const open = { code: 'o', sql: 'completions = 0' };

/** See `AnalyticsStore.listContentEngagement`. */
export async function listContentEngagement(
  database: Queryable,
  brandId: number,
  { range, userId, contentType, contentRefId, isCompleted }: ContentEngagementQuery,
  after: ContentEngagementKey | null,
  limit: number,
): Promise<ContentEngagementRow[]> {
  const rows = await database.run(
    keysetPage<DatasetRow>({
      dataset: 'content_engagement',
      columns,
      key: ['content_ref_id', 'day', 'user_id'],
      brandId,
      range,
      filters: [
        { code: 'u', column: 'user_id', value: userId },
        { code: 't', column: 'content_type', value: contentType },
        { code: 'c', column: 'content_ref_id', value: contentRefId },
      ],
      also: isCompleted === undefined ? undefined : isCompleted ? completed : open,
      after: after && [after.contentRefId, after.day, after.userId],
      limit,
    }),
  );
  return rows.map((row) => ({
    contentRefId: numberOf(row, 'content_ref_id'),
    day: textOf(row, 'day_text'),
    userId: numberOf(row, 'user_id'),
    views: numberOf(row, 'views'),
    xpEarned: numberOf(row, 'xp_earned'),
    timeSpentSeconds: numberOf(row, 'time_spent_seconds'),
    isCompleted: numberOf(row, 'completions') > 0,
    isSuccessful: numberOf(row, 'successes') > 0,
    questions: numberOf(row, 'questions'),
    answered: numberOf(row, 'answered'),
    score: meanOf(row, 'score'),
    cumulative: {
      views: numberOf(row, 'cumulative_views'),
      xpEarned: numberOf(row, 'cumulative_xp_earned'),
      timeSpentSeconds: numberOf(row, 'cumulative_time_spent_seconds'),
      score: meanOf(row, 'cumulative_score'),
    },
  }));
}
