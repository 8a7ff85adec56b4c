import type { Holder } from './holder.ts';

/**
 * Returns whether all holders could reach their demands one after the other if `holder` had `bytes` more (the banker's algorithm,
 * over the total and each owner's share).
 */
export function isSafe(
  holders: ReadonlySet<Holder>,
  { total, perOwner }: { readonly total: number; readonly perOwner: number },
  holder: Holder,
  bytes: number,
): boolean {
  const heldOf = (one: Holder) => one.held + (one === holder ? bytes : 0);
  // A holder with its whole demand finishes without more.
  let growing = [...new Set([...holders, holder])].filter((one) => heldOf(one) < one.demand);
  let free = total;
  const freeOf = new Map<string, number>();
  const addFree = (owner: string, more: number) => {
    free += more;
    freeOf.set(owner, (freeOf.get(owner) ?? perOwner) + more);
  };
  for (const one of growing) addFree(one.owner, -heldOf(one));
  for (;;) {
    const left = growing.filter((one) => {
      const need = one.demand - heldOf(one);
      if (need > free || need > (freeOf.get(one.owner) ?? 0)) return true;
      addFree(one.owner, heldOf(one));
      return false;
    });
    if (left.length === 0) return true;
    if (left.length === growing.length) return false;
    growing = left;
  }
}
