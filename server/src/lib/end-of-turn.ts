interface Turn {
  readonly work: Set<() => void>;
  readonly sends: (() => void)[];
}

let turn: Turn | null = null;

/**
 * Runs `work` at the end of this turn of the event loop, after all requests that the turn reads from its sockets; once,
 * however often the turn asks for it. What it sends through `atSendOfTurn` leaves in the same turn. `work` must not throw.
 */
export function atEndOfTurn(work: () => void): void {
  currentTurn().work.add(work);
}

/** Runs `send` after all work of `atEndOfTurn`, to send in one write what the turn has produced. */
export function atSendOfTurn(send: () => void): void {
  currentTurn().sends.push(send);
}

function currentTurn(): Turn {
  if (turn === null) {
    turn = { work: new Set(), sends: [] };
    setImmediate(endTurn);
  }
  return turn;
}

function endTurn(): void {
  const { work, sends } = turn as Turn;
  // Work may add more work, and itself again.
  for (const each of work) {
    work.delete(each);
    each();
  }
  turn = null;
  for (const each of sends) each();
}
