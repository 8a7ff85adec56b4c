import type { Operation } from '../../../api/operation.ts';
import { deleteMarketOperation } from './delete-market.ts';
import { listMarketsOperation } from './list-markets.ts';
import { putMarketsOperation } from './put-markets.ts';

export const marketOperations: readonly Operation[] = [
  putMarketsOperation,
  listMarketsOperation,
  deleteMarketOperation,
];
