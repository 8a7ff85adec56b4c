import type { Queryable } from '../../../../postgres/database.ts';
import { windowState } from '../../coordination/window-state.ts';
import type { DatasetPage, LearnerDayKey, LearnerDayQuery, LearnerDayRow } from '../../dataset-rows.ts';
import { learnerDayColumns, learnerDayKey, learnerDayRow } from '../../rows/learner-day-row.ts';
import { unpackRows } from '../../rows/packed-row.ts';
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
      columns: learnerDayColumns,
      key: learnerDayKey,
      brandId,
      range,
      filters: [{ code: 'u', column: 'user_id', value: learnerId }],
      after: after && [after.learnerId, after.day],
      limit,
    }),
  );
  const rows = unpackRows(reply, learnerDayColumns).map(learnerDayRow);
  return { rows, window: windowState(reply) };
}
