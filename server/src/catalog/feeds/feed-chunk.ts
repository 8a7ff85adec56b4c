import type { StockLock } from '../stock/brand-stock-store.ts';
import { StockChanges } from '../stock/stock-changes.ts';
import type { LineFacts } from './chunk-lines-store.ts';
import {
  isRefused,
  type LineResult,
  packLines,
  type ResultCounts,
  resultLetters,
  undecidedLetter,
} from './feed.ts';
import type { FeedInWork } from './feed-work-store.ts';

export interface DecidedChunk {
  readonly changes: StockChanges;
  /** The results of the lines that had none before, counted. */
  readonly counts: ResultCounts;
  /** The letter of each place of the chunk, also of lines that are missing. */
  readonly letters: string;
  readonly stale: readonly LineFacts[];
  /** Lines that somebody has to act on. */
  readonly refused: readonly LineFacts[];
  /** Lines whose level is as new as they are. Left out while no refused line of the brand is open. */
  readonly settled: readonly LineFacts[];
}

/** Decides the lines of a chunk of `count` places, in their order, by the rule for adjustments [catalog-104]. */
export function decideChunk(
  lock: StockLock,
  feed: FeedInWork,
  { lines, count }: { readonly lines: readonly LineFacts[]; readonly count: number },
): DecidedChunk {
  const changes = new StockChanges(lock);
  const letters = new Array<string>(count).fill(undecidedLetter);
  const counts: Partial<Record<LineResult, number>> = {};
  const stale: LineFacts[] = [];
  const refused: LineFacts[] = [];
  const settled: LineFacts[] = [];
  const note = `feed:${feed.tuId}`;
  for (const facts of lines) {
    letters[facts.line - feed.nextLine] = facts.letter;
    if (facts.letter !== undecidedLetter) continue;
    const result = decideLine(changes, facts, { id: feed.id, note });
    letters[facts.line - feed.nextLine] = resultLetters[result];
    counts[result] = (counts[result] ?? 0) + 1;
    if (result === 'stale') stale.push(facts);
    if (isRefused(result)) refused.push(facts);
    else if (feed.hasOpenLines) settled.push(facts);
  }
  return { changes, counts, letters: letters.join(''), stale, refused, settled };
}

function decideLine(
  changes: StockChanges,
  facts: LineFacts,
  { id, note }: { readonly id: number; readonly note: string },
): LineResult {
  const { line, productId, quantity, reserved, fedAt, movementId } = facts;
  if (productId === null) return 'unknown_sku';
  if (facts.hasVariants) return 'not_stockable';
  const { locationId } = facts;
  if (locationId === null) return 'unknown_location';
  const origin = { note, feedId: id, feedLine: line };
  const change = { quantity, reserved, expectedQuantity: null, fedAt, movementId, origin };
  const { outcome } = changes.decide({ ...facts, productId, locationId }, change);
  // Only a change with an expected quantity conflicts.
  return outcome === 'conflict' ? 'stale' : outcome;
}

/** The time for which a chunk should hold the brand's stock lock, milliseconds: adjustments of the brand wait for it. */
const longestHoldMs = 20;
/** With fewer lines, beginning and committing takes longer than the lines. */
const leastLines = 50;

/** The number of lines of the next chunk, by the time that the chunks before it held the brand's stock lock [D221]. */
export class ChunkSize {
  #lines = 200;

  get lines(): number {
    return this.#lines;
  }

  note(lines: number, heldMs: number): void {
    // The end of a feed says nothing about a chunk that is longer.
    if (lines < this.#lines && heldMs < longestHoldMs) return;
    const fitting = Math.min((lines * longestHoldMs) / heldMs, this.#lines * 2);
    this.#lines = Math.round(Math.min(Math.max(fitting, leastLines), packLines));
  }
}
