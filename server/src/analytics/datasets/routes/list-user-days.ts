import { userFilter } from '../dataset-parameters.ts';
import { keysetOperation } from '../keyset-operation.ts';
import { UserRowWire, userRowExample, userRowToWire } from '../user-wire.ts';

/** Returns the same 404 for unknown and excluded users and for those of another brand [analytics-16]. */
export const listUserDaysOperation = keysetOperation({
  id: 'listUserDays',
  path: '/users/daily',
  summary: 'List learner metrics by day',
  description:
    'One row per learner and day with activity, ordered by learner, then day (ascending). Learners are pseudonymous. Rows of learners who are excluded from analytics are removed immediately, so a page may be short or empty although more pages follow: follow `cursor` until `meta.next_cursor` is null.',
  access: ['analytics.users:read'],
  dataset: 'users',
  defaultDays: 30,
  filters: { user: userFilter },
  item: UserRowWire,
  example: userRowExample,
  read: 'listLearnerDays',
  key: ['learnerId', 'day'],
  show: (row, { learners }) => {
    const tuId = learners.get(row.learnerId);
    return tuId === undefined ? undefined : userRowToWire(row, tuId);
  },
});
