import type { UnpackedRow } from '../../../postgres/packed-rows.ts';
import { type CountsByType, countedTypes, type LearnerDayRow } from '../dataset-rows.ts';
import { countsAt, meanAt, numberAt, packDataset, textAt } from './packed-dataset.ts';

/** The counts over all types, then those of each type. */
const counts = ['' as const, ...countedTypes.map((type) => `${type}_` as const)].flatMap(
  (prefix) => [`${prefix}views`, `${prefix}completions`, `${prefix}successes`] as const,
);
export const learnerDayKey = ['user_id', 'day'] as const;
const figures = ['xp_earned', 'time_spent_seconds', 'score_sum', 'score_count'] as const;

export const learnerDayRows = packDataset(
  [...learnerDayKey, ...figures, ...counts, ...counts.map((column) => `cumulative_${column}` as const)],
  (row, at): LearnerDayRow => ({
    learnerId: numberAt(row, at.user_id),
    day: textAt(row, at.day),
    ...countsByTypeAt(row, at.views),
    xpEarned: numberAt(row, at.xp_earned),
    timeSpentSeconds: numberAt(row, at.time_spent_seconds),
    score: meanAt(row, at.score_sum),
    cumulative: countsByTypeAt(row, at.cumulative_views),
  }),
);

/** In the order of `counts`. */
function countsByTypeAt(row: UnpackedRow, position: number): CountsByType {
  return {
    ...countsAt(row, position),
    episode: countsAt(row, position + 3),
    program: countsAt(row, position + 6),
    quest: countsAt(row, position + 9),
  };
}
