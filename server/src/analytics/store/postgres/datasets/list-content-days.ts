import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
import type { ContentKey, ContentQuery, ContentRow, DatasetPage } from '../../dataset-rows.ts';
import { countsAt, meanAt, numberAt, positionsOf, textAt, unpackRows } from '../../rows/packed-row.ts';
import { keysetPage, type PageAfter } from './keyset-page.ts';

const columns = [
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

const key = ['content_ref_id', 'day'] as const;
const at = positionsOf([...key, ...columns]);

/** See `AnalyticsStore.listContents`. */
export async function listContents(
  database: Queryable,
  brandId: number,
  { range, contentType, contentRefId }: ContentQuery,
  { after, limit }: PageAfter<ContentKey>,
): Promise<DatasetPage<ContentRow>> {
  const reply = await database.run(
    keysetPage({
      dataset: 'contents',
      columns,
      key,
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
  const rows = unpackRows(reply, [...key, ...columns]).map((row) => ({
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
  }));
  return { rows, window: windowState(reply) };
}
