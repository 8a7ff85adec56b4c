import type { SourceTime } from '../../lib/source-time.ts';
import type { StockLevel } from './stock-level.ts';

/** The line of a feed behind an entry. */
export interface FeedLineOrigin {
  readonly feedId: string;
  readonly batchId: string;
  /** The place of the line in the request, from 0; null if it is not recorded or was dropped. */
  readonly line: number | null;
  /** The line's `updated_at`; null if it is not recorded or was dropped after the retention period. */
  readonly updatedAt: SourceTime | null;
}

/** The key and the request of a change; null for changes from before they were recorded, or by the server itself. */
interface Origin {
  readonly keyId: string | null;
  readonly requestId: string | null;
}

export interface StockEntry extends Origin {
  readonly movementId: number;
  readonly at: Date;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly reason: 'manual' | 'feed';
  readonly note: string;
  /** null for an adjustment. */
  readonly feed: FeedLineOrigin | null;
}

/** A line that named the level and was not applied, because a newer quantity was known. */
export interface RefusedLine extends Origin {
  readonly at: Date;
  readonly result: 'stale' | 'superseded';
  /** null if the line was dropped after the retention period. */
  readonly quantity: number | null;
  readonly feed: FeedLineOrigin;
}

export interface StockExplanation {
  /** The current level; null if there is none. */
  readonly level: StockLevel | null;
  /** The quantity at the instant asked for; 0 before the first movement. */
  readonly quantityAt: number;
  /** The time of the level's first movement; null without movements. */
  readonly firstAt: Date | null;
  /** The time of the first movement after the instant; null if there is none. */
  readonly nextAt: Date | null;
  readonly entries: readonly StockEntry[];
  readonly refused: readonly RefusedLine[];
  /** The position after which the page has more refused lines; null if it has no more. */
  readonly refusedNext: { readonly feed: number; readonly line: number } | null;
}
