import { readOperation } from '../../../analytics/analytics-operation.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { notFound } from '../../../errors/api-error.ts';
import { directoryItemParams, rowToWire } from '../../directory-wire.ts';
import { findLearnerDetail } from '../../queries/learner-list.ts';
import { LearnerDetailWire, learnerDetailExample } from '../learner-wire.ts';

/** Shows which aggregates still include an excluded learner [internal-114]. */
export const getLearnerOperation = readOperation({
  id: 'getLearner',
  method: 'GET',
  path: '/brands/:id/users/:tu_id',
  tag: 'Directory',
  summary: 'Get a learner',
  description:
    'Returns a learner with the first and last day of activity. An opted-out learner is hidden everywhere at once, but remains in the aggregates of the days that were aggregated before: aggregate `stale_aggregate_days` again to remove the learner from them.',
  access: 'brand',
  params: directoryItemParams('u-4711'),
  responses: {
    200: { description: 'The learner.', schema: LearnerDetailWire, example: learnerDetailExample },
  },
  errors: ['analytics_unavailable'],
  handle: async ({ database, analytics }, { params }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const learner = await findLearnerDetail(database, brandId, params.tu_id);
    if (learner === null) throw notFound();
    const { id, ...row } = learner;
    const activity = await analytics.readLearnerActivity(brandId, id);
    const body = {
      ...rowToWire(row),
      first_day: activity.firstDay,
      last_day: activity.lastDay,
      stale_aggregate_days: learner.analytics_opt_out ? [...activity.aggregatedDays] : [],
    };
    return { status: 200, body };
  },
});
