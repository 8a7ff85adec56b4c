import type { Part } from '../part.ts';
import { againstFeed, againstReads, againstWrites } from './against.ts';
import { aggregation } from './analytics-aggregation.ts';
import { eventIngestion } from './analytics-events.ts';
import { analyticsPages } from './analytics-pages.ts';
import { readsBesideFeed } from './beside-feed.ts';
import { stockFeed } from './feeds.ts';
import { productDetail, productList } from './product-reads.ts';
import { productCreate } from './product-writes.ts';
import { stockAdjust } from './stock-adjust.ts';

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [
  productDetail,
  productList,
  stockAdjust,
  productCreate,
  stockFeed,
  readsBesideFeed,
  analyticsPages,
  aggregation,
  eventIngestion,
  againstWrites,
  againstFeed,
  againstReads,
];
