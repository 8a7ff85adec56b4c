import type { AnalyticsContext } from '../../../analytics/analytics-context.ts';
import type { Operation } from '../../../api/operation.ts';
import { deleteLearnerOperation } from './delete-learner.ts';
import { getLearnerOperation } from './get-learner.ts';
import { listLearnersOperation } from './list-learners.ts';
import { putLearnersOperation } from './put-learners.ts';

export const learnerOperations: readonly Operation<AnalyticsContext>[] = [
  putLearnersOperation,
  listLearnersOperation,
  getLearnerOperation,
  deleteLearnerOperation,
];
