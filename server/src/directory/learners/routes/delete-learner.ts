import { writeOperation } from '../../../analytics/analytics-operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryItemParams } from '../../directory-wire.ts';
import { eraseLearner } from '../learner-service.ts';

export const deleteLearnerOperation = writeOperation({
  id: 'deleteLearner',
  method: 'DELETE',
  path: '/brands/:id/users/:tu_id',
  tag: 'Directory',
  summary: 'Erase a learner',
  description: `Removes the learner from the directory, from the raw events and from the user-level datasets, at once. The
aggregates keep their numbers until their days are aggregated again.`,
  access: 'admin',
  idempotency: 'ignored',
  params: directoryItemParams('u-4712'),
  responses: { 204: { description: 'The learner is erased.' } },
  errors: ['analytics_unavailable'],
  handle: async (tx, { params }, { analytics }) => {
    const brandId = brandIdFromPath(params.id);
    await eraseLearner(tx, brandId, params.tu_id, (brand, learner) => analytics.eraseLearner(brand, learner));
    return { status: 204 };
  },
});
