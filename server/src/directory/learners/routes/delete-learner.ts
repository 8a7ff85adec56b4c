import { writeOperation } from '../../../analytics/analytics-operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryItemParams } from '../../directory-wire.ts';
import { type EraseFromAnalytics, eraseLearner } from '../learner-service.ts';

export const deleteLearnerOperation = writeOperation({
  id: 'deleteLearner',
  method: 'DELETE',
  path: '/brands/:id/users/:tu_id',
  tag: 'Directory',
  summary: 'Erase a learner',
  description: `Immediately removes the learner from the directory, the raw events and the user-level datasets. Aggregates keep
their numbers until their days are aggregated again.`,
  access: 'brand',
  params: directoryItemParams('u-4712'),
  responses: { 204: { description: 'The learner was erased.' } },
  errors: ['analytics_unavailable'],
  handle: async (tx, { params }, { analytics, clock, jobs }) => {
    const eraseFromAnalytics: EraseFromAnalytics = (brand, learner, movesDays) =>
      analytics.eraseLearner(brand, learner, { movesDays, at: new Date(clock.now()) });
    await eraseLearner(tx, brandIdFromPath(params.id), params.tu_id, { eraseFromAnalytics, jobs });
    return { status: 204 };
  },
});
