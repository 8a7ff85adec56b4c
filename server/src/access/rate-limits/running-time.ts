import { performance } from 'node:perf_hooks';

/** A timer that fires later than this, in milliseconds, tells that the process itself stood still. */
const standstillMs = 25;
/** Number of times that the timer restarts after a standstill, so that the wait is always bounded. */
const maxTurns = 4;

/** The answer did not come within its time. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

/**
 * Gives an answer from another process a time limit that counts only time in which this process was able to
 * receive it. A plain timer would be wrong after a long synchronous piece of work (a feed of 64 MiB is parsed in
 * one): it fires before the answers that already wait in the socket are read.
 *
 * The timer does not keep the process alive.
 *
 * @param limitMs milliseconds; after standstills of this process up to four times that
 * @throws NoAnswerInTime when the time is over; what the answer itself rejects with, otherwise
 */
export function withinRunningTime<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    let timer: NodeJS.Timeout | undefined;

    function startTurn(turn: number): void {
      const due = performance.now() + limitMs;
      timer = setTimeout(() => {
        const stoodStill = performance.now() - due > standstillMs;
        // Sockets are read between timers and immediates: one more chance for an answer that is here already.
        setImmediate(() => {
          if (settled) return;
          if (stoodStill && turn < maxTurns) startTurn(turn + 1);
          else reject(new NoAnswerInTime());
        });
      }, limitMs);
      timer.unref();
    }

    startTurn(1);
    answer.then(resolve, reject).finally(() => {
      settled = true;
      clearTimeout(timer);
    });
  });
}
