import { directoryListOperation } from '../../list-operation.ts';
import { pointOfSaleList } from '../../queries/directory-lists.ts';
import { PointOfSaleWire } from '../point-of-sale-wire.ts';

export const listPointsOfSaleOperation = directoryListOperation({
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
