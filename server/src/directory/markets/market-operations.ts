import { type Operation, writeOperation } from '../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { directoryBodyLimit, directoryItemParams, requireDistinct, UpsertedWire } from '../directory-wire.ts';
import { directoryListOperation } from '../list-operation.ts';
import { marketList } from '../queries/directory-lists.ts';
import { putMarkets, removeMarket } from './market-service.ts';
import { MarketWire, marketItemsFromWire, PutMarketsBody } from './market-wire.ts';

const putMarketsOperation = writeOperation({
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

const listMarketsOperation = directoryListOperation({
  id: 'listMarkets',
  path: 'markets',
  things: 'markets',
  list: marketList,
  item: MarketWire,
  example: {
    tu_id: 'de-north',
    name: 'Germany, north',
    created_at: '2026-03-01T08:30:00.000Z',
    updated_at: '2026-03-01T08:30:00.000Z',
  },
});

const deleteMarketOperation = writeOperation({
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

export const marketOperations: readonly Operation[] = [
  putMarketsOperation,
  listMarketsOperation,
  deleteMarketOperation,
];
