import { directoryListOperation } from '../../list-operation.ts';
import { marketList } from '../../queries/directory-lists.ts';
import { MarketWire } from '../market-wire.ts';

export const listMarketsOperation = directoryListOperation({
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
