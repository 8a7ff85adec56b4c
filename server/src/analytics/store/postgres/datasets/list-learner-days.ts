import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
import {
  type CountsByType,
  countedTypes,
  type DatasetPage,
  type LearnerDayKey,
  type LearnerDayQuery,
  type LearnerDayRow,
} from '../../dataset-rows.ts';
import {
  countsAt,
  meanAt,
  numberAt,
  positionsOf,
  type RowValues,
  textAt,
  unpackRows,
} from '../../rows/packed-row.ts';
import { keysetPage, type PageAfter } from './keyset-page.ts';

/** The counts over all types, then those of each type. */
const counts = ['', ...countedTypes.map((type) => `${type}_` as const)].flatMap((prefix) => [
  `${prefix}views`,
  `${prefix}completions`,
  `${prefix}successes`,
]);
const key = ['user_id', 'day'] as const;
const columns = [
  'xp_earned',
  'time_spent_seconds',
  'score_sum',
  'score_count',
  ...counts,
  ...counts.map((column) => `cumulative_${column}`),
];
const at = positionsOf([...key, 'xp_earned', 'time_spent_seconds', 'score_sum', 'score_count', 'views']);
const cumulativeAt = at.views + counts.length;

/** See `AnalyticsStore.listLearnerDays`. */
export async function listLearnerDays(
  database: Queryable,
  brandId: number,
  { range, learnerId }: LearnerDayQuery,
  { after, limit }: PageAfter<LearnerDayKey>,
): Promise<DatasetPage<LearnerDayRow>> {
  const reply = await database.run(
    keysetPage({
      dataset: 'users',
      columns,
      key,
      brandId,
      range,
      filters: [{ code: 'u', column: 'user_id', value: learnerId }],
      after: after && [after.learnerId, after.day],
      limit,
    }),
  );
  const rows = unpackRows(reply, [...key, ...columns]).map((row) => ({
    learnerId: numberAt(row, at.user_id),
    day: textAt(row, at.day),
    ...countsByTypeAt(row, at.views),
    xpEarned: numberAt(row, at.xp_earned),
    timeSpentSeconds: numberAt(row, at.time_spent_seconds),
    score: meanAt(row, at.score_sum),
    cumulative: countsByTypeAt(row, cumulativeAt),
  }));
  return { rows, window: windowState(reply) };
}

/** In the order of `counts`. */
function countsByTypeAt(row: RowValues, position: number): CountsByType {
  return {
    ...countsAt(row, position),
    episode: countsAt(row, position + 3),
    program: countsAt(row, position + 6),
    quest: countsAt(row, position + 9),
  };
}
