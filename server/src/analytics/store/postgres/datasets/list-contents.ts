import type { Queryable } from '../../../../postgres/database.ts';
import type { ContentKey, ContentQuery, ContentRow } from '../../dataset-rows.ts';
import { keysetPage } from './keyset-page.ts';
import { countsOf, type DatasetRow, meanOf, numberOf, textOf } from './row-parts.ts';

const columns = [
  'total_users',
  'views',
  'unique_views',
  'completions',
  'successes',
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
];

/** See `AnalyticsStore.listContents`. */
export async function listContents(
  database: Queryable,
  brandId: number,
  { range, contentType, contentRefId }: ContentQuery,
  after: ContentKey | null,
  limit: number,
): Promise<ContentRow[]> {
  const rows = await database.run(
    keysetPage<DatasetRow>({
      dataset: 'contents',
      columns,
      key: ['content_ref_id', 'day'],
      brandId,
      range,
      filters: [
        { code: 't', column: 'content_type', value: contentType },
        { code: 'c', column: 'content_ref_id', value: contentRefId },
      ],
      after: after && [after.contentRefId, after.day],
      limit,
    }),
  );
  return rows.map((row) => ({
    contentRefId: numberOf(row, 'content_ref_id'),
    day: textOf(row, 'day_text'),
    ...countsOf(row),
    uniqueViews: numberOf(row, 'unique_views'),
    activeUsers: numberOf(row, 'active_users'),
    totalUsers: numberOf(row, 'total_users'),
    xpEarned: numberOf(row, 'xp_earned'),
    timeSpentSeconds: numberOf(row, 'time_spent_seconds'),
    questions: numberOf(row, 'questions'),
    score: meanOf(row, 'score'),
    cumulative: {
      ...countsOf(row, 'cumulative_'),
      progress: meanOf(row, 'cumulative_progress'),
      score: meanOf(row, 'cumulative_score'),
    },
  }));
}
