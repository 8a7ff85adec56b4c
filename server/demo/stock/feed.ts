/** A line of a stock feed as sent. */
export interface FeedLine {
  readonly sku: string;
  readonly location_code: string;
  readonly quantity: number;
  readonly updated_at?: string;
}

/** A stock feed and its expected results. */
export interface Feed {
  /** Its Idempotency-Key. */
  readonly batchId: string;
  readonly lines: readonly FeedLine[];
  /** For each of the lines. */
  readonly expected: readonly LineResult[];
}

/** A feed that the server has accepted. */
export interface SentFeed extends Feed {
  readonly id: string;
}

/** The results of lines in these data sets, which all have one existing stock location. */
export type LineResult = 'applied' | 'unchanged' | 'stale' | 'superseded' | 'unknown_sku';

export const feedSource = 'real data';

/** `received`, and one count for each result that occurs. */
export function totalsOf(results: readonly LineResult[]): Readonly<Record<string, number>> {
  const totals: Record<string, number> = { received: results.length };
  for (const result of results) totals[result] = (totals[result] ?? 0) + 1;
  return totals;
}

/** Number of lines of the feeds. */
export function linesOf(feeds: readonly Feed[]): number {
  return feeds.reduce((sum, { lines }) => sum + lines.length, 0);
}
