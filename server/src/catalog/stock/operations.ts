import type { Operation } from '../../api/operation.ts';
import { adjustStockOperation } from './adjust/routes/adjust-stock.ts';
import { listLevelsOperation } from './levels/routes/list-levels.ts';
import { createLocationOperation } from './locations/routes/create-location.ts';
import { listLocationsOperation } from './locations/routes/list-locations.ts';
import { updateLocationOperation } from './locations/routes/update-location.ts';
import { listMovementsOperation } from './movements/routes/list-movements.ts';
import { getProductStockOperation } from './product-stock/routes/get-product-stock.ts';

/** Endpoints 20 to 26. */
export const stockOperations: readonly Operation[] = [
  listLocationsOperation, //    GET   /stock/locations
  createLocationOperation, //   POST  /stock/locations
  updateLocationOperation, //   PATCH /stock/locations/:externalCode
  listLevelsOperation, //       GET   /stock/levels
  getProductStockOperation, //  GET   /products/:tuId/stock
  listMovementsOperation, //    GET   /products/:tuId/stock/movements
  adjustStockOperation, //      POST  /products/:tuId/stock/adjust
];
