import { feedInvariants } from './feed-invariants.ts';
import type { MainInvariant } from './invariant.ts';
import { ownerInvariants } from './owner-invariants.ts';
import { productInvariants } from './product-invariants.ts';
import { stockInvariants } from './stock-invariants.ts';
import { variantInvariants } from './variant-invariants.ts';
import { versionInvariants } from './version-invariants.ts';

/**
 * All invariants of the main database that its constraints do not enforce. Each value is compared with original data, never with
 * another derived value: one wrong value is one difference, and the order of repairs does not matter.
 */
export const mainInvariants: readonly MainInvariant[] = [
  ...productInvariants,
  ...stockInvariants,
  ...feedInvariants,
  ...variantInvariants,
  ...ownerInvariants,
  ...versionInvariants,
];
