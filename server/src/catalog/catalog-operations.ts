import type { Operation } from '../api/operation.ts';
import { axisOperations } from './axes/axis-operations.ts';
import { axisSelectionOperations } from './axis-selection/axis-selection-operations.ts';
import { feedOperations } from './feeds/feed-operations.ts';
import { getProductStockOperation } from './products/get-product-stock.ts';
import { productOperations } from './products/product-operations.ts';
import { statusOperations } from './status-operations.ts';
import { adjustStockOperation } from './stock/adjust-stock.ts';
import { listStockLevelsOperation } from './stock/list-stock-levels.ts';
import { listStockMovementsOperation } from './stock/list-stock-movements.ts';
import { locationOperations } from './stock/location-operations.ts';
import { variantOperations } from './variants/variant-operations.ts';

/** Everything below `/v1/client/catalog`, in the order of the reference. */
export const catalogOperations: readonly Operation[] = [
  ...statusOperations,
  ...productOperations,
  ...axisOperations,
  ...axisSelectionOperations,
  ...variantOperations,
  ...locationOperations,
  listStockLevelsOperation,
  getProductStockOperation,
  listStockMovementsOperation,
  adjustStockOperation,
  ...feedOperations,
];
