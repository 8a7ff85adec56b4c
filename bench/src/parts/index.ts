import type { Part } from '../part.ts';
import { againstFeed, againstFeedAlone, againstReads, againstWrites } from './against.ts';
import { aggregation } from './analytics-aggregation.ts';
import { analyticsInClickHouse } from './analytics-clickhouse.ts';
import { eventIngestion } from './analytics-events.ts';
import { analyticsPages } from './analytics-pages.ts';
import { readsBesideFeed } from './beside-feed.ts';
import { stockFeed } from './feeds.ts';
import { growthOfData } from './growth.ts';
import { againstBusyBrands, besideFeedOfAnother } from './lone-brand.ts';
import { severalProcesses } from './processes.ts';
import { productDetail, productList } from './product-reads.ts';
import { productWrites } from './product-writes.ts';
import { stockAdjust } from './stock-adjust.ts';

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [
  productDetail,
  productList,
  stockAdjust,
  productWrites,
  stockFeed,
  readsBesideFeed,
  besideFeedOfAnother,
  growthOfData,
  severalProcesses,
  analyticsPages,
  aggregation,
  eventIngestion,
  analyticsInClickHouse,
  againstWrites,
  againstBusyBrands,
  againstFeed,
  againstFeedAlone,
  againstReads,
];
