import type { Part } from '../part.ts';
import { againstFeed, againstReads, againstWrites } from './against.ts';
import { aggregation } from './analytics-aggregation.ts';
import { eventIngestion } from './analytics-events.ts';
import { analyticsPages } from './analytics-pages.ts';
import { readsBesideFeed } from './beside-feed.ts';
import { stockFeed } from './feeds.ts';
import { listTotals } from './list-totals.ts';
import { productDetail, productList } from './product-reads.ts';
import { productWalk } from './product-walk.ts';
import { idempotentReplay, productCreate } from './product-writes.ts';
import { stockAdjust } from './stock-adjust.ts';

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [
  productDetail,
  productList,
  listTotals,
  productWalk,
  stockAdjust,
  productCreate,
  idempotentReplay,
  stockFeed,
  readsBesideFeed,
  analyticsPages,
  aggregation,
  eventIngestion,
  againstWrites,
  againstFeed,
  againstReads,
];
