import type { SequentialModel } from './operation.ts';

/** A stock level as reads show it. */
export interface Level {
  readonly quantity: number;
  readonly reserved: number;
  /** Milliseconds since the Unix epoch. */
  readonly sourceUpdatedAt: number;
}

/** A request about one level with the claims of its response. `null` means that the level does not exist. */
export type LevelCall =
  /** An adjustment with status 200. `before` is the movement's `quantity_before`; `null`: no movement. */
  | {
      readonly kind: 'set';
      readonly quantity: number;
      readonly expected: number | null;
      readonly before: number | null;
      readonly reserved: number;
      readonly writtenAt: number;
    }
  /** 409 `stock_version_conflict`: a read of the quantity. */
  | { readonly kind: 'conflict'; readonly expected: number; readonly current: number }
  /** 409 `rejected_stale`. `sentAt`: wall-clock time before the request, milliseconds. */
  | { readonly kind: 'rejected_stale'; readonly expected: number | null; readonly sentAt: number }
  | { readonly kind: 'read'; readonly level: Level | null }
  /** A read that shows only the quantity: the newest movement, or 0 without one. */
  | { readonly kind: 'read_quantity'; readonly quantity: number }
  /** A line of a feed. `reserved` is `null` when it was not sent, so the level keeps its own. */
  | {
      readonly kind: 'feed_line';
      readonly quantity: number;
      readonly reserved: number | null;
      readonly updatedAt: number;
      readonly result: string;
    };

/**
 * A stock level as a compare-and-set register [catalog-92] [catalog-93] [catalog-106]: guarded and unguarded manual
 * writes, and feed lines, which lose to a newer `source_updated_at`.
 */
export const levelModel: SequentialModel<Level | null, LevelCall> = {
  initial: null,
  keyOf: (level) => (level === null ? '-' : `${level.quantity},${level.reserved},${level.sourceUpdatedAt}`),
  next(level, call) {
    const after = afterCall(level, call);
    return after === undefined ? [] : [after];
  },
};

/** Returns the level after the call; `undefined` when the call cannot have had this response. */
function afterCall(level: Level | null, call: LevelCall): Level | null | undefined {
  const { quantity, reserved } = level ?? { quantity: 0, reserved: 0 };
  const guardHolds = (expected: number | null) => expected === null || expected === quantity;
  switch (call.kind) {
    case 'set': {
      const movedFrom = call.quantity === quantity ? null : quantity;
      const isNewest = level === null || level.sourceUpdatedAt <= call.writtenAt;
      const fits =
        guardHolds(call.expected) && isNewest && call.before === movedFrom && call.reserved === reserved;
      return fits ? { quantity: call.quantity, reserved, sourceUpdatedAt: call.writtenAt } : undefined;
    }
    case 'conflict':
      return call.current === quantity && call.expected !== quantity ? level : undefined;
    case 'rejected_stale':
      return guardHolds(call.expected) && level !== null && level.sourceUpdatedAt > call.sentAt
        ? level
        : undefined;
    case 'read':
      return levelModel.keyOf(call.level) === levelModel.keyOf(level) ? level : undefined;
    case 'read_quantity':
      return call.quantity === quantity ? level : undefined;
    case 'feed_line':
      return afterFeedLine(level, call);
  }
}

function afterFeedLine(
  level: Level | null,
  line: Extract<LevelCall, { kind: 'feed_line' }>,
): Level | null | undefined {
  if (line.result === 'superseded') return level;
  if (level !== null && line.updatedAt < level.sourceUpdatedAt)
    return line.result === 'stale' ? level : undefined;
  const reserved = line.reserved ?? level?.reserved ?? 0;
  const isSame = level !== null && line.quantity === level.quantity && reserved === level.reserved;
  if (line.result !== (isSame ? 'unchanged' : 'applied')) return undefined;
  return { quantity: line.quantity, reserved, sourceUpdatedAt: line.updatedAt };
}
