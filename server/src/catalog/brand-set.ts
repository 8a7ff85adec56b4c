import type { OpenSet } from '../api/set-handling.ts';

/** Decides and writes the requests of a set; see `OpenSet`. */
interface SetRules<Given, Lock, R> {
  readonly decide: (given: Given, lock: Lock, position: number) => R;
  readonly write: () => void | Promise<void>;
}

/** Returns the set of requests of which each needs the lock of its brand. */
export function setOf<Given extends { readonly brandId: number }, Lock, R>(
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

/** Returns the set whose results are `map` of those of `set`. */
export function mapSet<A, B>(set: OpenSet<A>, map: (result: A, position: number) => B): OpenSet<B> {
  return { ...set, decide: (position) => map(set.decide(position), position) };
}

/** Decides and writes the one request of a set. Throws its refusal. */
export async function runOne<R>(set: OpenSet<R>): Promise<R> {
  const result = set.decide(0);
  await set.write();
  return result;
}
