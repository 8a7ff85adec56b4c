const waiting: (() => void)[] = [];

/**
 * Rounds of the event loop from one turn to the next. Node accepts one connection per listener in each round: with heavy work in
 * every round, new clients of a flood wait for many seconds. An idle round takes some microseconds.
 */
const roundsPerTurn = 16;

let isPacing = false;

/**
 * Waits for a turn before work that keeps the main thread busy for some milliseconds: one is granted in every `roundsPerTurn`
 * rounds of the event loop, in order of arrival, and new connections are accepted in between.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isPacing) return;
    isPacing = true;
    giveTurnAfter(1);
  });
}

function giveTurnAfter(rounds: number): void {
  setImmediate(() => {
    if (rounds > 1) {
      giveTurnAfter(rounds - 1);
      return;
    }
    const next = waiting.shift();
    isPacing = next !== undefined;
    if (next === undefined) return;
    next();
    // Even if nobody waits: work that takes consecutive turns requests the next one only now.
    giveTurnAfter(roundsPerTurn);
  });
}
