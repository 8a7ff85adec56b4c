/** What the holder of bytes works on, as far as the budget may end it for the sake of others. */
export interface Displaceable {
  /** Bytes per second that it made progress lately; Infinity while it does not depend on a client. */
  pace(): number;
  /** Makes it give its bytes back soon. Called once. */
  displace(): void;
}

/** One claim on a budget. */
export interface Holder {
  readonly owner: string;
  /** The most that it will ever hold. */
  readonly claim: number;
  readonly work: Displaceable | null;
  held: number;
  /** It was told to give its bytes back and has not done so yet. */
  isDisplaced: boolean;
}

/** A holder that waits for more bytes. */
export interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  grant(): void;
  refuse(): void;
}
