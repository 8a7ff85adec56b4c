import { directoryListOperation } from '../../list-operation.ts';
import { learnerList } from '../../queries/learner-list.ts';
import { LearnerWire, learnerToWire } from '../learner-wire.ts';

export const listLearnersOperation = directoryListOperation({
  id: 'listLearners',
  path: 'users',
  things: 'learners',
  list: learnerList,
  item: LearnerWire,
  toWire: learnerToWire,
  example: {
    tu_id: 'u-4711',
    market: 'de-north',
    analytics_opt_out: false,
    created_at: '2026-03-01T08:30:00.000Z',
    updated_at: '2026-03-01T08:30:00.000Z',
  },
});
