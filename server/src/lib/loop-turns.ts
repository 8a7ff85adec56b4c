import { type Owner, type Reservation, Semaphore } from './semaphore.ts';

const turns = new Semaphore({ total: 1, perOwner: 1, maxWaiting: Number.POSITIVE_INFINITY });

/**
 * Rounds of the event loop from one turn to the next. Node accepts one connection per listener in each round: with heavy work in
 * every round, new clients of a flood wait for many seconds. An idle round takes some microseconds.
 */
const roundsPerTurn = 16;
/** Work that is longer, milliseconds, is followed by a pause of its own length. */
const shortMs = 0.5;

/**
 * Waits for a turn before work that keeps the main thread busy for up to 50 ms. Owners take turns. After long work the thread is
 * free for as long: a request of somebody else, which needs it some ten times, meets that work once or twice [platform-76].
 */
export async function takeTurn(owner: Owner): Promise<void> {
  const turn = await turns.take(owner, 1, { limitMs: null });
  const startedAt = performance.now();
  // The work runs in this round.
  setImmediate(() => {
    const workMs = performance.now() - startedAt;
    if (workMs > shortMs) setTimeout(() => turn.release(), workMs);
    else releaseAfter(roundsPerTurn, turn);
  });
}

function releaseAfter(rounds: number, turn: Reservation): void {
  if (rounds === 0) turn.release();
  else setImmediate(() => releaseAfter(rounds - 1, turn));
}
