/** The status of a feed. A completed or failed feed is final [catalog-111]. */
export const feedStatuses = ['queued', 'processing', 'completed', 'failed'] as const;

export type FeedStatus = (typeof feedStatuses)[number];

/** The result of a line, in the order in which they are decided [catalog-104]. */
export const lineResults = [
  'superseded',
  'unknown_sku',
  'not_stockable',
  'unknown_location',
  'stale',
  'unchanged',
  'applied',
] as const;

export type LineResult = (typeof lineResults)[number];

/** Number of lines by result; a result that did not occur has no entry. */
export type ResultCounts = Readonly<Partial<Record<LineResult, number>>>;

export interface Feed {
  readonly brandId: number;
  readonly id: number;
  readonly tuId: string;
  /** The Idempotency-Key of the submission; unique in the brand. */
  readonly batchId: string;
  /** Digest of the lines' values, independent of their encoding. */
  readonly linesSha256: Buffer;
  readonly source: string;
  readonly status: FeedStatus;
  readonly receivedLines: number;
  /** Counts of the lines decided so far. */
  readonly counts: ResultCounts;
  /** Why it failed; else null. */
  readonly message: string | null;
  readonly receivedAt: Date;
  readonly finishedAt: Date | null;
}

/** A line as the report shows it; `result` null = not decided. */
export interface ReportedLine {
  readonly sku: string;
  readonly locationCode: string;
  readonly result: LineResult | null;
}

const explanations: Readonly<Record<LineResult, string | null>> = {
  applied: null,
  unchanged: null,
  superseded: 'Another line of the feed has a newer quantity for the same SKU and location.',
  unknown_sku: 'No product or variant of the brand has this SKU.',
  not_stockable: 'The product has variants; stock is kept under their SKUs.',
  unknown_location: 'The brand has no stock location with this code.',
  stale: 'The stock level has a later timestamp than the line.',
};

/** The explanation of a line's result in the report. */
export function explanationOf(result: LineResult | null): string | null {
  return result === null ? null : explanations[result];
}
