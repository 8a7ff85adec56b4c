import type {
  Feed,
  FeedCorrection,
  FeedLine,
  FeedRequeue,
  GetFeedLinesCsvQuery,
  GetFeedLinesJsonlQuery,
  ListAllFeedsQuery,
  ListBrandFeedsQuery,
  ListFeedLinesQuery,
  PageMeta,
} from '../generated/internal-wire.ts';
import { offsetPages, type PageOptions, type Pages } from '../pages.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions, WriteOptions } from '../transport/client-options.ts';

/** The stock feeds that brands have submitted. */
export class Feeds extends AdminResource {
  /** Lists the feeds of all brands, the last received first. */
  list(query?: ListAllFeedsQuery, options?: PageOptions): Pages<Feed, PageMeta> {
    return offsetPages(this.api, 'listAllFeeds', [], { query, options });
  }

  /** Returns a feed with its progress. */
  get(brandId: number, feedId: string, options?: CallOptions): Call<Feed> {
    return this.api.call('getBrandFeed', [brandId, feedId], {}, options);
  }

  listOfBrand(brandId: number, query?: ListBrandFeedsQuery, options?: PageOptions): Pages<Feed, PageMeta> {
    return offsetPages(this.api, 'listBrandFeeds', [brandId], { query, options });
  }

  /** Lists the lines of a feed in the order in which they were sent; `query.result` and `query.left` select some. */
  lines(
    brandId: number,
    feedId: string,
    query?: ListFeedLinesQuery,
    options?: PageOptions,
  ): Pages<FeedLine, PageMeta> {
    return offsetPages(this.api, 'listFeedLines', [brandId, feedId], { query, options });
  }

  /** Returns the lines of a feed as CSV, in one string: up to some 15 MB. */
  linesCsv(
    brandId: number,
    feedId: string,
    query?: GetFeedLinesCsvQuery,
    options?: CallOptions,
  ): Call<string> {
    return this.api.call('getFeedLinesCsv', [brandId, feedId], { query }, options);
  }

  /** Returns the lines of a feed as JSON Lines, in one string: up to some 25 MB. */
  linesJsonl(
    brandId: number,
    feedId: string,
    query?: GetFeedLinesJsonlQuery,
    options?: CallOptions,
  ): Call<string> {
    return this.api.call('getFeedLinesJsonl', [brandId, feedId], { query }, options);
  }

  /**
   * Sends the lines with these results again as a new feed, with `left` only failed ones that are left; each keeps its time.
   * While such a feed with the same lines is unfinished, that one is returned, so the call is retried when its outcome is
   * unknown.
   */
  requeue(brandId: number, feedId: string, body: FeedRequeue, options?: WriteOptions): Call<Feed> {
    return this.api.call('requeueFeed', [brandId, feedId], { body }, options);
  }

  /** Sends corrected lines of a finished feed, as a new feed. Retried like a re-queue. */
  correct(brandId: number, feedId: string, body: FeedCorrection, options?: WriteOptions): Call<Feed> {
    return this.api.call('correctFeed', [brandId, feedId], { body }, options);
  }
}
