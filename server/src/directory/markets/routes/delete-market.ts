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
  description: 'Its learners are then in no market. What was aggregated for it is no longer served.',
  access: 'admin',
  idempotency: 'ignored',
  params: directoryItemParams('de-south'),
  responses: { 204: { description: 'It is gone.' } },
  handle: async (tx, { params }) => {
    await removeMarket(tx, brandIdFromPath(params.id), params.tu_id);
    return { status: 204 };
  },
});
