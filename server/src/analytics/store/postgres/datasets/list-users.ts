import type { Queryable } from '../../../../postgres/database.ts';
import { countedTypes, type UserKey, type UserQuery, type UserRow } from '../../dataset-rows.ts';
import { keysetPage } from './keyset-page.ts';
import { countsByTypeOf, type DatasetRow, meanOf, numberOf, textOf } from './row-parts.ts';

const counts = ['', ...countedTypes.map((type) => `${type}_`)].flatMap((prefix) => [
  `${prefix}views`,
  `${prefix}completions`,
  `${prefix}successes`,
]);
const columns = [
  'xp_earned',
  'time_spent_seconds',
  'score_sum',
  'score_count',
  ...counts,
  ...counts.map((column) => `cumulative_${column}`),
];

/** See `AnalyticsStore.listUsers`. */
export async function listUsers(
  database: Queryable,
  brandId: number,
  { range, userId }: UserQuery,
  after: UserKey | null,
  limit: number,
): Promise<UserRow[]> {
  const rows = await database.run(
    keysetPage<DatasetRow>({
      dataset: 'users',
      columns,
      key: ['user_id', 'day'],
      brandId,
      range,
      filters: [{ code: 'u', column: 'user_id', value: userId }],
      after: after && [after.userId, after.day],
      limit,
    }),
  );
  return rows.map((row) => ({
    userId: numberOf(row, 'user_id'),
    day: textOf(row, 'day_text'),
    ...countsByTypeOf(row),
    xpEarned: numberOf(row, 'xp_earned'),
    timeSpentSeconds: numberOf(row, 'time_spent_seconds'),
    score: meanOf(row, 'score'),
    cumulative: countsByTypeOf(row, 'cumulative_'),
  }));
}
