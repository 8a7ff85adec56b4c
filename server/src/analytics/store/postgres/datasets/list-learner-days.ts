import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
import type { DatasetPage, LearnerDayKey, LearnerDayQuery, LearnerDayRow } from '../../dataset-rows.ts';
import { learnerDayKey, learnerDayRows } from '../../rows/learner-day-row.ts';
import { keysetPage, type PageAfter } from './keyset-page.ts';

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
      rows: learnerDayRows,
      key: learnerDayKey,
      brandId,
      range,
      filters: [{ code: 'u', column: 'user_id', value: learnerId }],
      after: after && [after.learnerId, after.day],
      limit,
    }),
  );
  return { rows: learnerDayRows.read(reply[0]?.packed ?? ''), window: windowState(reply) };
}
