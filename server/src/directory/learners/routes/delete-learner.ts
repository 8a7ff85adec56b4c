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
  description: `Immediately removes the learner from the directory, the raw events and the user-level datasets. Aggregates keep
their numbers until their days are aggregated again.`,
  access: 'admin',
  idempotency: 'ignored',
  params: directoryItemParams('u-4712'),
  responses: { 204: { description: 'The learner was erased.' } },
  errors: ['analytics_unavailable'],
  handle: async (tx, { params }, { analytics }) => {
    const brandId = brandIdFromPath(params.id);
    await eraseLearner(tx, brandId, params.tu_id, (brand, learner) => analytics.eraseLearner(brand, learner));
    return { status: 204 };
  },
});
