/** The work of a holder, as far as the budget may abort it in favour of others. */
export interface Displaceable {
  /** Recent progress in bytes per second; Infinity while it does not depend on a client. */
  pace(): number;
  /** Makes the work release its bytes soon. Called once. */
  displace(): void;
}

/** One holder of a budget. */
export interface Holder {
  readonly owner: string;
  /** The most that it will ever hold. */
  readonly demand: number;
  readonly work: Displaceable | null;
  held: number;
  /** It was asked to release its bytes and has not done so yet. */
  isDisplaced: boolean;
}

/** A holder that waits for more bytes. */
export interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  grant(): void;
  refuse(): void;
}
