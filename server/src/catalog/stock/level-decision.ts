import { millisecondOf, type SourceTime } from '../../lib/source-time.ts';
import { availableOf } from './stock-level.ts';

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
export type LevelDecision = WrittenLevel | { readonly outcome: 'conflict' } | { readonly outcome: 'stale' };

interface WrittenLevel {
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

/** The part of a product's stock rollup that one level contributes. */
export interface RollupPart {
  readonly total_quantity: number;
  readonly total_reserved: number;
  readonly own_levels: number;
  readonly own_counted_levels: number;
  readonly own_available: number;
  readonly variant_levels: number;
  readonly variant_counted_levels: number;
  readonly variant_available: number;
}

/** The properties that decide in which columns of the rollup a level counts. */
export interface WhereCounted {
  /** null: the product's own stock. */
  readonly variantId: number | null;
  /** True if the variant is active; ignored without one. */
  readonly variantCounts: boolean;
  /** True if the location is active. */
  readonly locationCounts: boolean;
}

/** Returns the contribution of a level to its product's rollup; null: a level that does not exist. */
export function rollupPart(where: WhereCounted, level: LevelState | null): RollupPart {
  const exists = Number(level !== null);
  const available = level === null ? 0 : availableOf(level);
  const isOwn = where.variantId === null;
  const own = Number(isOwn);
  const variant = Number(!isOwn && where.variantCounts);
  const counts = Number(where.locationCounts);
  return {
    total_quantity: level?.quantity ?? 0,
    total_reserved: level?.reserved ?? 0,
    own_levels: own * exists,
    own_counted_levels: own * counts * exists,
    own_available: own * counts * available,
    variant_levels: variant * exists,
    variant_counted_levels: variant * counts * exists,
    variant_available: variant * counts * available,
  };
}

export function addDifference(sum: RollupPart, before: RollupPart, after: RollupPart): RollupPart {
  return {
    total_quantity: sum.total_quantity + after.total_quantity - before.total_quantity,
    total_reserved: sum.total_reserved + after.total_reserved - before.total_reserved,
    own_levels: sum.own_levels + after.own_levels - before.own_levels,
    own_counted_levels: sum.own_counted_levels + after.own_counted_levels - before.own_counted_levels,
    own_available: sum.own_available + after.own_available - before.own_available,
    variant_levels: sum.variant_levels + after.variant_levels - before.variant_levels,
    variant_counted_levels:
      sum.variant_counted_levels + after.variant_counted_levels - before.variant_counted_levels,
    variant_available: sum.variant_available + after.variant_available - before.variant_available,
  };
}

export const noRollupDifference: RollupPart = rollupPart(
  { variantId: null, variantCounts: false, locationCounts: false },
  null,
);

/**
 * Returns the time until which a level keeps its product from becoming stale, milliseconds: never, if set by hand. null: it
 * does not count.
 */
export function freshAtOf(
  { variantId, variantCounts, locationCounts }: WhereCounted,
  level: LevelState,
): number | null {
  if (!locationCounts || (variantId !== null && !variantCounts)) return null;
  return level.isFromFeed ? millisecondOf(level.sourceAt) : Number.POSITIVE_INFINITY;
}
