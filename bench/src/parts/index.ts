import type { Part } from '../part.ts';
import { againstOther } from './against.ts';
import { aggregation } from './analytics-aggregation.ts';
import { eventIngestion } from './analytics-events.ts';
import { analyticsPages } from './analytics-pages.ts';
import { adjustsBesideFeed, readsBesideFeed } from './beside-feed.ts';
import { stockFeed } from './feeds.ts';
import { listTotals } from './list-totals.ts';
import { productDetail, productList } from './product-reads.ts';
import { productWalk } from './product-walk.ts';
import { idempotentReplay, productChange, productCreate } from './product-writes.ts';
import { adjustLatency, stockAdjust } from './stock-adjust.ts';

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [
  productDetail,
  productList,
  listTotals,
  productWalk,
  stockAdjust,
  adjustLatency,
  productCreate,
  productChange,
  idempotentReplay,
  stockFeed,
  readsBesideFeed,
  adjustsBesideFeed,
  analyticsPages,
  aggregation,
  eventIngestion,
  againstOther,
];
