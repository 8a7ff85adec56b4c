/** Time limit in milliseconds for the locks of an upgrade, and of a start. */
export const lockPatienceMs = 60_000;

/** The observers of a wait for locks. */
export interface LockWaiting {
  /** Receives who holds the lock, after two seconds, and each time that this changes. */
  readonly report?: ((holders: string) => void) | undefined;
  /** Ends the wait with its reason. */
  readonly cancelled?: AbortSignal | undefined;
}
