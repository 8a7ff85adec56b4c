/** The party that a holder counts towards, such as a brand; null for work without one. */
export type Owner = number | string | null;

/** The work of a holder, as far as the line may abort it in favour of others. */
export interface Displaceable {
  /** Recent progress in bytes per second; Infinity while it does not depend on a client. */
  pace(): number;
  /** Makes the work release its units soon. Called once. */
  displace(): void;
}

/** One holder of units, or one that waits to be. */
export interface Holder {
  readonly owner: Owner;
  readonly work: Displaceable | null;
  size: number;
  /** It was asked to release its units and has not done so yet. */
  isDisplaced: boolean;
}

/** A holder that waits for its units. */
export interface Waiting {
  readonly holder: Holder;
  grant(): void;
  giveUp(reason: unknown): void;
}
