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

/** The sums of a product's stock rollup, over its own levels and those of its variants. */
interface RollupSums {
  readonly totalQuantity: number;
  readonly totalReserved: number;
  readonly ownLevels: number;
  readonly ownCountedLevels: number;
  readonly ownAvailable: number;
  readonly variantLevels: number;
  readonly variantCountedLevels: number;
  readonly variantAvailable: number;
}

/** The stock rollup of a product, or what levels contribute to it. */
export interface Rollup extends RollupSums {
  /** The time until which own levels keep the product from becoming stale, milliseconds; see `freshAtOf`. */
  readonly ownFreshAt: number | null;
  readonly variantFreshAt: number | null;
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
export function rollupPart(where: WhereCounted, level: LevelState | null): Rollup {
  const exists = Number(level !== null);
  const available = level === null ? 0 : availableOf(level);
  const freshAt = level === null ? null : freshAtOf(where, level);
  const isOwn = where.variantId === null;
  const own = Number(isOwn);
  const variant = Number(!isOwn && where.variantCounts);
  const counts = Number(where.locationCounts);
  return {
    totalQuantity: level?.quantity ?? 0,
    totalReserved: level?.reserved ?? 0,
    ownLevels: own * exists,
    ownCountedLevels: own * counts * exists,
    ownAvailable: own * counts * available,
    ownFreshAt: isOwn ? freshAt : null,
    variantLevels: variant * exists,
    variantCountedLevels: variant * counts * exists,
    variantAvailable: variant * counts * available,
    variantFreshAt: isOwn ? null : freshAt,
  };
}

export const noRollup: Rollup = rollupPart(
  { variantId: null, variantCounts: false, locationCounts: false },
  null,
);

/** Returns the sum with what a level contributes now and did not before, and the latest of the times. */
export function addChange(sum: Rollup, was: Rollup, is: Rollup): Rollup {
  const added = (field: keyof RollupSums) => sum[field] + is[field] - was[field];
  return {
    totalQuantity: added('totalQuantity'),
    totalReserved: added('totalReserved'),
    ownLevels: added('ownLevels'),
    ownCountedLevels: added('ownCountedLevels'),
    ownAvailable: added('ownAvailable'),
    ownFreshAt: latest(sum.ownFreshAt, is.ownFreshAt),
    variantLevels: added('variantLevels'),
    variantCountedLevels: added('variantCountedLevels'),
    variantAvailable: added('variantAvailable'),
    variantFreshAt: latest(sum.variantFreshAt, is.variantFreshAt),
  };
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

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
