import type { Operation } from '../../../api/operation.ts';
import { deletePointOfSaleOperation } from './delete-point-of-sale.ts';
import { listPointsOfSaleOperation } from './list-points-of-sale.ts';
import { putPointsOfSaleOperation } from './put-points-of-sale.ts';

export const pointOfSaleOperations: readonly Operation[] = [
  putPointsOfSaleOperation,
  listPointsOfSaleOperation,
  deletePointOfSaleOperation,
];
