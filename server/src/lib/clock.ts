/** The time source of the process; tests pass one that they can move [D60]. */
export interface Clock {
  /** The current instant, milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
