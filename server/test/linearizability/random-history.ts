import type { CasCall } from './cas-model.ts';
import type { Operation } from './operation.ts';

/** The parameters of a random history; fast-check chooses them. */
export interface Move {
  readonly kind: 'write' | 'read' | 'cas' | 'wrong_cas' | 'lost_write' | 'never_done_write';
  /** The duration of the operation before and after its effect, in units of the pause between two effects. */
  readonly before: number;
  readonly after: number;
}

export type CasHistory = Operation<CasCall>[];

const pause = 10;

/**
 * A history that a linearizable register could have produced: the effects happen one after the other, and each
 * operation is under way around its own. Every write writes another value, `1`, `2`, ….
 */
export function historyOf(moves: readonly Move[]): CasHistory {
  let state = 0;
  return moves.map(({ kind, before, after }, index) => {
    const at = (index + 1) * pause;
    const call = callOf(kind, state, index + 1);
    if (kind === 'write' || kind === 'cas' || kind === 'lost_write') state = index + 1;
    const returnedAt = call.kind === 'lost_write' ? Number.POSITIVE_INFINITY : at + after * pause;
    return { call, invokedAt: at - before * pause, returnedAt };
  });
}

function callOf(kind: Move['kind'], found: number, value: number): CasCall {
  switch (kind) {
    case 'write':
      return { kind, value };
    case 'read':
      return { kind, value: found };
    case 'cas':
      return { kind, expected: found, value, current: null };
    case 'wrong_cas':
      return { kind: 'cas', expected: found + 1_000_000, value, current: found };
    case 'lost_write':
    case 'never_done_write':
      return { kind: 'lost_write', value };
  }
}

/** Returns the time at which the last operation returned, or was invoked if it never returned. */
export function endOf(history: CasHistory): number {
  return Math.max(
    0,
    ...history.map(({ returnedAt, invokedAt }) => (Number.isFinite(returnedAt) ? returnedAt : invokedAt)),
  );
}

/**
 * Returns whether some order explains the history, by trying all of them: slow, and too simple to be wrong. For
 * histories of up to about seven operations.
 */
export function isLinearizableByBruteForce(
  next: (state: number, call: CasCall) => readonly number[],
  rest: CasHistory,
  state = 0,
): boolean {
  if (rest.length === 0) return true;
  return rest.some((first) => {
    const others = rest.filter((operation) => operation !== first);
    const mayComeFirst = others.every(({ returnedAt }) => returnedAt >= first.invokedAt);
    return (
      mayComeFirst && next(state, first.call).some((after) => isLinearizableByBruteForce(next, others, after))
    );
  });
}
