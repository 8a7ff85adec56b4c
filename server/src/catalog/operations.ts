import type { Operation } from '../api/operation.ts';
import { axisOperations } from './axes/routes/index.ts';
import { axisSelectionOperations } from './axis-selection/routes/index.ts';
import { feedOperations } from './feeds/routes/index.ts';
import { locationOperations } from './locations/routes/index.ts';
import { productStockOperations } from './product-stock/routes/index.ts';
import { productOperations } from './products/routes/index.ts';
import { statusOperations } from './routes/index.ts';
import { levelOperations, stockOperations } from './stock/routes/index.ts';
import { variantOperations } from './variants/routes/index.ts';

/** Everything below `/v1/client/catalog`, in the order of the reference. */
export const catalogOperations: readonly Operation[] = [
  ...statusOperations,
  ...productOperations,
  ...axisOperations,
  ...axisSelectionOperations,
  ...variantOperations,
  ...locationOperations,
  ...levelOperations,
  ...productStockOperations,
  ...stockOperations,
  ...feedOperations,
];
