import type { StockFeed } from '../generated/wire.ts';

/** A line of a stock feed: the quantity at a location. */
export type FeedLine = StockFeed['lines'][number];
