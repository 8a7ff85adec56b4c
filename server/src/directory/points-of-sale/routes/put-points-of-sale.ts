import { writeOperation } from '../../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryBodyLimit, requireDistinct, UpsertedWire } from '../../directory-wire.ts';
import { putPointsOfSale } from '../point-of-sale-service.ts';
import { PutPointsOfSaleBody, pointOfSaleItemsFromWire } from '../point-of-sale-wire.ts';

export const putPointsOfSaleOperation = writeOperation({
  id: 'putPointsOfSale',
  method: 'PUT',
  path: '/brands/:id/pos',
  tag: 'Directory',
  summary: 'Create or update points of sale',
  description:
    'Up to 10,000 items per request. Omitted items and omitted fields are left unchanged. `location` assigns a point of sale to a stock location, which shows it as `pointofsale_tu_id`; a location has at most one, the last one assigned.',
  access: 'brand',
  params: BrandParams,
  body: PutPointsOfSaleBody,
  bodyExample: {
    items: [
      { tu_id: 'shop-12', name: 'Shop 12', location: 'WH-BERLIN' },
      { tu_id: 'shop-13', name: 'Shop 13' },
    ],
  },
  bodyLimit: directoryBodyLimit,
  responses: { 200: { description: 'Done.', schema: UpsertedWire, example: { upserted: 2 } } },
  handle: async (tx, { params, body }) => {
    const items = pointOfSaleItemsFromWire(body);
    requireDistinct(items, ({ tuId }) => tuId);
    await putPointsOfSale(tx, brandIdFromPath(params.id), items);
    return { status: 200, body: { upserted: items.length } };
  },
});
