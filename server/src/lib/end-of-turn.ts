interface Turn {
  readonly work: (() => void)[];
  readonly sends: (() => void)[];
}

let turn: Turn | null = null;

/**
 * Runs `work` at the end of this turn of the event loop, after all requests that the turn reads from its sockets. What
 * it sends through `atSendOfTurn` leaves in the same turn. `work` must not throw.
 */
export function atEndOfTurn(work: () => void): void {
  currentTurn().work.push(work);
}

/** Runs `send` after all work of `atEndOfTurn`, to send in one write what the turn has produced. */
export function atSendOfTurn(send: () => void): void {
  currentTurn().sends.push(send);
}

function currentTurn(): Turn {
  if (turn === null) {
    turn = { work: [], sends: [] };
    setImmediate(endTurn);
  }
  return turn;
}

function endTurn(): void {
  const { work, sends } = turn as Turn;
  // Work may add more work.
  for (const each of work) each();
  turn = null;
  for (const each of sends) each();
}
