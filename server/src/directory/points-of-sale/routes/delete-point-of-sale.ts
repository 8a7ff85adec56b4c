import { writeOperation } from '../../../api/operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryItemParams } from '../../directory-wire.ts';
import { removePointOfSale } from '../point-of-sale-service.ts';

export const deletePointOfSaleOperation = writeOperation({
  id: 'deletePointOfSale',
  method: 'DELETE',
  path: '/brands/:id/pos/:tu_id',
  tag: 'Directory',
  summary: 'Delete a point of sale',
  description: 'Its location then has no point of sale.',
  access: 'brand',
  params: directoryItemParams('shop-13'),
  responses: { 204: { description: 'The point of sale was deleted.' } },
  handle: async (tx, { params }) => {
    await removePointOfSale(tx, brandIdFromPath(params.id), params.tu_id);
    return { status: 204 };
  },
});
