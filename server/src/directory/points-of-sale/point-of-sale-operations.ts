import { type Operation, writeOperation } from '../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { directoryBodyLimit, directoryItemParams, requireDistinct, UpsertedWire } from '../directory-wire.ts';
import { directoryListOperation } from '../list-operation.ts';
import { pointOfSaleList } from '../queries/directory-lists.ts';
import { putPointsOfSale, removePointOfSale } from './point-of-sale-service.ts';
import { PointOfSaleWire, PutPointsOfSaleBody, pointOfSaleItemsFromWire } from './point-of-sale-wire.ts';

const putPointsOfSaleOperation = writeOperation({
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

const listPointsOfSaleOperation = directoryListOperation({
  id: 'listPointsOfSale',
  path: 'pos',
  things: 'points of sale',
  list: pointOfSaleList,
  item: PointOfSaleWire,
  example: {
    tu_id: 'shop-12',
    name: 'Shop 12',
    location: 'WH-BERLIN',
    created_at: '2026-03-01T08:30:00.000Z',
    updated_at: '2026-03-01T08:30:00.000Z',
  },
});

const deletePointOfSaleOperation = writeOperation({
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

export const pointOfSaleOperations: readonly Operation[] = [
  putPointsOfSaleOperation,
  listPointsOfSaleOperation,
  deletePointOfSaleOperation,
];
