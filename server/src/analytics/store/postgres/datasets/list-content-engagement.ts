import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
import type {
  ContentEngagementKey,
  ContentEngagementQuery,
  ContentEngagementRow,
  DatasetPage,
} from '../../dataset-rows.ts';
import { meanAt, numberAt, positionsOf, textAt, unpackRows } from '../../rows/packed-row.ts';
import { keysetPage, type PageAfter } from './keyset-page.ts';

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
] as const;

const completed = { code: 'd', sql: 'completions > 0' };
const open = { code: 'o', sql: 'completions = 0' };

const key = ['content_ref_id', 'day', 'user_id'] as const;
const at = positionsOf([...key, ...columns]);

/** See `AnalyticsStore.listContentEngagement`. */
export async function listContentEngagement(
  database: Queryable,
  brandId: number,
  { range, learnerId, contentType, contentRefId, isCompleted }: ContentEngagementQuery,
  { after, limit }: PageAfter<ContentEngagementKey>,
): Promise<DatasetPage<ContentEngagementRow>> {
  const reply = await database.run(
    keysetPage({
      dataset: 'content_engagement',
      columns,
      key,
      brandId,
      range,
      filters: [
        { code: 'u', column: 'user_id', value: learnerId },
        { code: 't', column: 'content_type', value: contentType },
        { code: 'c', column: 'content_ref_id', value: contentRefId },
      ],
      also: isCompleted === undefined ? undefined : isCompleted ? completed : open,
      after: after && [after.contentRefId, after.day, after.learnerId],
      limit,
    }),
  );
  const rows = unpackRows(reply, [...key, ...columns]).map((row) => ({
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
  }));
  return { rows, window: windowState(reply) };
}
