import type { OpenSet } from '../api/set-handling.ts';

export interface OfBrand {
  readonly brandId: number;
}

/** `waits` false: a set skips the requests whose brands another transaction has locked. */
export interface Locking {
  readonly waits: boolean;
}

/** Returns the ids of the brands in ascending order, each once. */
export function brandsOf(given: readonly OfBrand[]): number[] {
  return [...new Set(given.map(({ brandId }) => brandId))].sort((a, b) => a - b);
}

/** Returns what was found for `count` requests, in their order: `found` of the row with the position `n`, else null. */
export function byPosition<Row extends { readonly n: number }, T>(
  count: number,
  rows: readonly Row[],
  found: (row: Row) => T,
): (T | null)[] {
  const all = new Array<T | null>(count).fill(null);
  for (const row of rows) all[row.n] = found(row);
  return all;
}

interface SetRules<Given, Lock, R> {
  readonly decide: (given: Given, lock: Lock, position: number) => R;
  readonly write: () => void | Promise<void>;
}

/** Returns the set of requests of which each needs the lock of its brand. */
export function setOf<Given extends OfBrand, Lock, R>(
  given: readonly Given[],
  locks: ReadonlyMap<number, Lock>,
  { decide, write }: SetRules<Given, Lock, R>,
): OpenSet<R> {
  return {
    isLocked: (position) => locks.has((given[position] as Given).brandId),
    decide: (position) => {
      const each = given[position] as Given;
      return decide(each, locks.get(each.brandId) as Lock, position);
    },
    write: async () => write(),
  };
}

export function mapSet<A, B>(set: OpenSet<A>, map: (result: A, position: number) => B): OpenSet<B> {
  return { ...set, decide: (position) => map(set.decide(position), position) };
}

/** Decides and writes the one request of a set. Throws its refusal. */
export async function runOne<R>(set: OpenSet<R>): Promise<R> {
  const result = set.decide(0);
  await set.write();
  return result;
}
