import { writeOperation } from '../../../api/operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryItemParams } from '../../directory-wire.ts';
import { removeMarket } from '../market-service.ts';

export const deleteMarketOperation = writeOperation({
  id: 'deleteMarket',
  method: 'DELETE',
  path: '/brands/:id/markets/:tu_id',
  tag: 'Directory',
  summary: 'Delete a market',
  description: 'Its learners then have no market. Aggregates of the market are no longer returned.',
  access: 'brand',
  params: directoryItemParams('de-south'),
  responses: { 204: { description: 'The market was deleted.' } },
  handle: async (tx, { params }, { jobs }) => {
    await removeMarket(tx, brandIdFromPath(params.id), params.tu_id, jobs);
    return { status: 204 };
  },
});
