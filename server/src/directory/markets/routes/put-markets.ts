import { writeOperation } from '../../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { directoryBodyLimit, requireDistinct, UpsertedWire } from '../../directory-wire.ts';
import { putMarkets } from '../market-service.ts';
import { marketItemsFromWire, PutMarketsBody } from '../market-wire.ts';

export const putMarketsOperation = writeOperation({
  id: 'putMarkets',
  method: 'PUT',
  path: '/brands/:id/markets',
  tag: 'Directory',
  summary: 'Create or update markets',
  description:
    'Up to 10,000 items per request. Omitted items are left unchanged; a market without `name` keeps its name.',
  access: 'brand',
  params: BrandParams,
  body: PutMarketsBody,
  bodyExample: {
    items: [
      { tu_id: 'de-north', name: 'Germany, north' },
      { tu_id: 'de-south', name: 'Germany, south' },
    ],
  },
  bodyLimit: directoryBodyLimit,
  responses: { 200: { description: 'Done.', schema: UpsertedWire, example: { upserted: 2 } } },
  handle: async (tx, { params, body }) => {
    const items = marketItemsFromWire(body);
    requireDistinct(items, ({ tuId }) => tuId);
    await putMarkets(tx, brandIdFromPath(params.id), items);
    return { status: 200, body: { upserted: items.length } };
  },
});
