import { type CountsByType, countedTypes, type LearnerDayRow } from '../dataset-rows.ts';
import { countsAt, meanAt, numberAt, positionsOf, type RowValues, textAt } from './packed-row.ts';

/** The counts over all types, then those of each type. */
const counts = ['', ...countedTypes.map((type) => `${type}_` as const)].flatMap((prefix) => [
  `${prefix}views`,
  `${prefix}completions`,
  `${prefix}successes`,
]);
export const learnerDayKey = ['user_id', 'day'] as const;
/** The columns of a packed row of `users`, in order. */
export const learnerDayColumns = [
  ...learnerDayKey,
  'xp_earned',
  'time_spent_seconds',
  'score_sum',
  'score_count',
  ...counts,
  ...counts.map((column) => `cumulative_${column}`),
];
const at = positionsOf([
  ...learnerDayKey,
  'xp_earned',
  'time_spent_seconds',
  'score_sum',
  'score_count',
  'views',
]);
const cumulativeAt = at.views + counts.length;

export function learnerDayRow(row: RowValues): LearnerDayRow {
  return {
    learnerId: numberAt(row, at.user_id),
    day: textAt(row, at.day),
    ...countsByTypeAt(row, at.views),
    xpEarned: numberAt(row, at.xp_earned),
    timeSpentSeconds: numberAt(row, at.time_spent_seconds),
    score: meanAt(row, at.score_sum),
    cumulative: countsByTypeAt(row, cumulativeAt),
  };
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
