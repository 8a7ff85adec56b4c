import type { Part } from '../part.ts';
import { idempotentReplay, productCreate } from './product-create.ts';
import { productDetail, productList } from './product-reads.ts';
import { productWalk } from './product-walk.ts';
import { stockAdjust } from './stock-adjust.ts';

/** In the order in which they run. */
export const parts: readonly Part[] = [
  productDetail,
  productList,
  productWalk,
  stockAdjust,
  productCreate,
  idempotentReplay,
];
