import { directoryListOperation } from '../../list-operation.ts';
import { pointOfSaleList } from '../../queries/point-of-sale-list.ts';
import { PointOfSaleWire, pointOfSaleToWire } from '../point-of-sale-wire.ts';

export const listPointsOfSaleOperation = directoryListOperation({
  id: 'listPointsOfSale',
  path: 'pos',
  things: 'points of sale',
  list: pointOfSaleList,
  item: PointOfSaleWire,
  toWire: pointOfSaleToWire,
  example: {
    tu_id: 'shop-12',
    name: 'Shop 12',
    location: 'WH-BERLIN',
    created_at: '2026-03-01T08:30:00.000Z',
    updated_at: '2026-03-01T08:30:00.000Z',
  },
});
