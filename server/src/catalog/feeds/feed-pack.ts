import type { LineResult } from './feed.ts';

/** The number of lines in a row of `stock_feed_packs`; the last pack of a feed has fewer. */
export const packLines = 1_000;

/** The letter of each result in a pack [D220], as in the view `stock_feed_lines`; a test compares them. */
export const resultLetters: Readonly<Record<LineResult, string>> = {
  applied: 'a',
  unchanged: 'u',
  stale: 's',
  unknown_sku: 'k',
  superseded: 'p',
  unknown_location: 'l',
  not_stockable: 'n',
};

/** The letter of a line without a result. */
export const undecidedLetter = '.';
