/** Limits on slow clients [platform-75] [D51]. Only the time in which the server waits for bytes counts. */
export interface HttpTimes {
  /** Milliseconds from the start of a connection or request to the end of its headers. */
  readonly headersMs: number;
  /** Milliseconds without any byte of a body. */
  readonly stallMs: number;
  /** Milliseconds that any body may take, regardless of its pace. */
  readonly graceMs: number;
  /** The required average after the grace period, in bytes a second. */
  readonly minBytesPerSecond: number;
  /** Milliseconds for which the rest of a body is discarded after an early response. */
  readonly lingerMs: number;
  /** Milliseconds within which a client has to read some byte of its response. */
  readonly takeMs: number;
  /** Milliseconds for which a body waits for room in the budget. */
  readonly roomMs: number;
}

export const defaultHttpTimes: HttpTimes = {
  headersMs: 30_000,
  stallMs: 30_000,
  graceMs: 300_000,
  minBytesPerSecond: 16_384,
  lingerMs: 10_000,
  takeMs: 60_000,
  roomMs: 10_000,
};
