import type { SourceTime } from '../../lib/source-time.ts';

/** The values of a level that a change decides on and writes. */
export interface LevelState {
  readonly quantity: number;
  readonly reserved: number;
  readonly sourceAt: SourceTime;
  /** False if the level was last set by hand. */
  readonly isFromFeed: boolean;
}

export interface LevelChange {
  readonly quantity: number;
  /** The new reservation, 0 to 2,147,483,647; null keeps the current one. */
  readonly reserved: number | null;
  /** The quantity that the level must have; a level that does not exist has 0. null: any. */
  readonly expectedQuantity: number | null;
  /** The time to which a feed dates the figures; null for a change made now, by hand. */
  readonly fedAt: SourceTime | null;
}

/** `applied` and `unchanged` write the level; `conflict` and `stale` write nothing. */
export type LevelDecision = WrittenLevel | { readonly outcome: 'conflict' | 'stale' };

export interface WrittenLevel {
  readonly outcome: 'applied' | 'unchanged';
  readonly after: LevelState;
}

export function isWritten<D extends LevelDecision>(decision: D): decision is D & WrittenLevel {
  return decision.outcome === 'applied' || decision.outcome === 'unchanged';
}

/**
 * The only rule by which stock changes, for adjustments and feeds [catalog-85] [catalog-92] [catalog-104]. `level`: null if it
 * does not exist. `now`: the database's time; a level set by hand is later only if the clock was set back, and
 * keeps its time.
 */
export function decideLevel(level: LevelState | null, change: LevelChange, now: SourceTime): LevelDecision {
  const { quantity, expectedQuantity, fedAt } = change;
  if (expectedQuantity !== null && (level?.quantity ?? 0) !== expectedQuantity)
    return { outcome: 'conflict' };
  const isByHand = level !== null && !level.isFromFeed;
  const sourceAt = fedAt ?? (isByHand && level.sourceAt > now ? level.sourceAt : now);
  if (level !== null && sourceAt < level.sourceAt) return { outcome: 'stale' };
  const reserved = change.reserved ?? level?.reserved ?? 0;
  return {
    outcome: level?.quantity === quantity && level.reserved === reserved ? 'unchanged' : 'applied',
    after: { quantity, reserved, sourceAt, isFromFeed: fedAt !== null },
  };
}
