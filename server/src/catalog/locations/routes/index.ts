import type { Operation } from '../../../api/operation.ts';
import { createStockLocationOperation } from './create-stock-location.ts';
import { listStockLocationsOperation } from './list-stock-locations.ts';
import { updateStockLocationOperation } from './update-stock-location.ts';

export const locationOperations: readonly Operation[] = [
  listStockLocationsOperation, //    GET   /stock/locations
  createStockLocationOperation, //   POST  /stock/locations
  updateStockLocationOperation, //   PATCH /stock/locations/:externalCode
];
