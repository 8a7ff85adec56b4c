import type { AccessRole } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import type { Leak, LeakKind, Mention } from './leak.ts';

/** A kind of secret that can be recognised by its form. `secretKinds` lists them. */
export interface SecretKind {
  readonly kind: LeakKind;
  /** The roles that may revoke it; absent: all that may search. */
  readonly revokedBy?: readonly AccessRole[];
  /**
   * Its first group matches the public id, or the whole secret; its second one, if any, the secret that follows the id. Fixed
   * lengths only, so that the scan stays linear.
   */
  readonly pattern: RegExp;
  /**
   * Compares the mentions with what is stored, in one statement; returns them in the same order. `now`: milliseconds since the
   * Unix epoch.
   */
  identify(database: Queryable, mentions: readonly Mention[], now: number): Promise<Leak[]>;
  /**
   * Makes a leaked secret useless, in the given transaction, with its audit entry. Returns its state now, and whether this
   * call changed it.
   */
  revoke(tx: AuditedTransaction, leak: Leak): Promise<Leak>;
}
