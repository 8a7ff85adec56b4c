/** The work of a holder, as far as the budget may abort it in favour of others. */
export interface Displaceable {
  /** Recent progress in bytes per second; Infinity while it does not depend on a client. */
  pace(): number;
  /** Makes the work release its bytes soon. Called once. */
  displace(): void;
}

/** One holder of a budget, or one that waits to be. */
export interface Holder {
  readonly owner: string;
  readonly work: Displaceable | null;
  bytes: number;
  /** It was asked to release its bytes and has not done so yet. */
  isDisplaced: boolean;
}

/** A holder that waits for its bytes. */
export interface Waiting {
  readonly holder: Holder;
  grant(): void;
  refuse(): void;
}
