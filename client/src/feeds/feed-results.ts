import type { StockFeedReport } from '../generated/wire.ts';
import type { ClientApi } from '../resource.ts';
import type { CallOptions } from '../transport/client-options.ts';
import type { FeedLine } from './feed-input.ts';

/** Open: later versions of the service may have further results. */
export type FeedResult =
  | 'applied'
  | 'unchanged'
  | 'superseded'
  | 'stale'
  | 'unknown_sku'
  | 'unknown_location'
  | 'not_stockable'
  | (string & {});

/** Results of lines that were not applied, and who has to fix them. */
export const remedies: Readonly<Record<string, string>> = {
  unknown_sku: 'Create the product or variant, or correct the SKU; then send the line again.',
  unknown_location: 'Create the stock location, or correct its code; then send the line again.',
  not_stockable: 'The SKU belongs to a product with variants: send the SKUs of its variants.',
  stale: 'The stored quantity is newer than the line: nothing to do, unless `updated_at` is wrong.',
  superseded: 'A later line of the same feed has the same SKU and location: nothing to do.',
};

/** A line that did not set the stock. */
export interface FailedLine {
  /** The place among all submitted lines, counting from 0. */
  readonly line: number;
  readonly sku: string;
  readonly location_code: string;
  readonly result: FeedResult;
  readonly message: string | null;
  /** The next step, for humans; null for a result that this version does not know. */
  readonly remedy: string | null;
  /** The line as it was sent; null if the input cannot be read again. */
  readonly original: FeedLine | null;
}

/** The results that `failedLines` returns unless others are named. */
export const failures: readonly FeedResult[] = ['unknown_sku', 'unknown_location', 'not_stockable', 'stale'];

/** The results for which sending the line again can help. */
export const correctable: readonly FeedResult[] = ['unknown_sku', 'unknown_location', 'not_stockable'];

const linesPerPage = 500;

/** A line of a feed's report. */
export interface ReportLine {
  /** The place in the feed, counting from 0. */
  readonly line: number;
  readonly decided: StockFeedReport['lines']['data'][number];
  /** When the service received the feed. */
  readonly receivedAt: string;
}

/** Iterates the lines of a feed's report that have one of the results, in the order in which they were sent. */
export async function* reportLines(
  api: ClientApi,
  feedId: string,
  results: readonly string[],
  options: CallOptions,
): AsyncGenerator<ReportLine, void, undefined> {
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const query = { page, per_page: linesPerPage, result: results.join(',') };
    const report = await api.call('getStockFeedReport', [feedId], { query }, options);
    lastPage = report.lines.meta.last_page;
    for (const decided of report.lines.data)
      yield { line: decided.line, decided, receivedAt: report.received_at };
  }
}
