/** One operation of a history as its client saw it. `Call` contains the request and the response: the claims of the operation. */
export interface Operation<Call> {
  readonly call: Call;
  /** Monotonic time before the request was sent, milliseconds. */
  readonly invokedAt: number;
  /** Monotonic time after the whole response was read, milliseconds; `Infinity` when no response ever came. */
  readonly returnedAt: number;
}

/** A sequential specification: the possible effects of one operation that runs alone. */
export interface SequentialModel<State, Call> {
  readonly initial: State;
  /**
   * The states that may follow when `call` takes effect in `state`. Empty: `call` cannot have happened here. More
   * than one: the response was lost, so several outcomes are possible.
   */
  next(state: State, call: Call): readonly State[];
  /** Equal strings if and only if two states are equal. */
  keyOf(state: State): string;
}
