import { readOperation } from '../../../analytics/analytics-operation.ts';
import { settleReturnsSoon } from '../../../analytics/returns/settle-returns.ts';
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
  summary: 'Create or update learners',
  description:
    'Up to 10,000 items per request. Omitted items and omitted fields are left unchanged. Personal data is not accepted: an unknown field is an error. When a learner opts back in, their earlier rows return: days that were aggregated in the meantime become `dirty`, and the next nightly run aggregates them again.',
  access: 'brand',
  params: BrandParams,
  body: PutLearnersBody,
  bodyExample: {
    items: [{ tu_id: 'u-4711', market: 'de-north', analytics_opt_out: false }, { tu_id: 'u-4712' }],
  },
  bodyLimit: directoryBodyLimit,
  responses: { 200: { description: 'Done.', schema: UpsertedWire, example: { upserted: 2 } } },
  handle: async (context, { params, body, initiator }) => {
    const items = learnerItemsFromWire(body);
    requireDistinct(items, ({ tuId }) => tuId);
    const brandId = brandIdFromPath(params.id);
    const returned = await context.database.auditedTransaction(initiator, (tx) =>
      putLearners(tx, brandId, items, context.jobs),
    );
    if (returned) await settleReturnsSoon(context, brandId);
    return { status: 200, body: { upserted: items.length } };
  },
});
