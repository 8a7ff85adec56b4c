import { readOperation } from '../../../analytics/analytics-operation.ts';
import { settleReturnsSoon } from '../../../analytics/returns/settle-returns-soon.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryBodyLimit, requireDistinct, UpsertedWire } from '../../directory-wire.ts';
import { putLearners } from '../learner-service.ts';
import { learnerItemsFromWire, PutLearnersBody } from '../learner-wire.ts';

// Not a `writeOperation`: marks in the analytics store have to follow the commit.
export const putLearnersOperation = readOperation({
  id: 'putLearners',
  method: 'PUT',
  path: '/brands/:id/users',
  tag: 'Directory',
  summary: 'Make or change learners',
  description:
    'Up to 10,000 at once. What is left out is left alone, `market` and `analytics_opt_out` of an item too. Nothing personal is accepted: an unknown key is an error. Who opts back in gets earlier rows back: the days that were aggregated meanwhile become `dirty`, and the next nightly run aggregates them again.',
  access: 'admin',
  params: BrandParams,
  body: PutLearnersBody,
  bodyExample: {
    items: [{ tu_id: 'u-4711', market: 'de-north', analytics_opt_out: false }, { tu_id: 'u-4712' }],
  },
  bodyLimit: directoryBodyLimit,
  responses: { 200: { description: 'Done.', schema: UpsertedWire, example: { upserted: 2 } } },
  handle: async (context, { params, body }) => {
    const items = learnerItemsFromWire(body);
    requireDistinct(items, ({ tuId }) => tuId);
    const brandId = brandIdFromPath(params.id);
    const returned = await context.database.transaction((tx) =>
      putLearners(tx, brandId, items, context.jobs),
    );
    if (returned) await settleReturnsSoon(context, brandId);
    return { status: 200, body: { upserted: items.length } };
  },
});
