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
