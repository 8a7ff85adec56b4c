import { writeOperation } from '../../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryBodyLimit, requireDistinct, Upserted } from '../../directory-wire.ts';
import { putLearners } from '../learner-service.ts';
import { learnerItemsFromWire, PutLearnersBody } from '../learner-wire.ts';

export const putLearnersOperation = writeOperation({
  id: 'putLearners',
  method: 'PUT',
  path: '/brands/:id/users',
  tag: 'Directory',
  summary: 'Make or change learners',
  description:
    'Up to 10,000 at once. What is left out is left alone, `market` and `analytics_opt_out` of an item too. Nothing personal is accepted: an unknown key is an error.',
  access: 'admin',
  idempotency: 'ignored',
  params: BrandParams,
  body: PutLearnersBody,
  bodyExample: { items: [{ tu_id: 'u-4711', market: 'de-north', analytics_opt_out: false }] },
  bodyLimit: directoryBodyLimit,
  responses: { 200: { description: 'Done.', schema: Upserted, example: { upserted: 1 } } },
  handle: async (tx, { params, body }) => {
    const items = learnerItemsFromWire(body);
    requireDistinct(items, ({ tuId }) => tuId);
    await putLearners(tx, brandIdFromPath(params.id), items);
    return { status: 200, body: { upserted: items.length } };
  },
});
