import { performance } from 'node:perf_hooks';

/** A timer that is late by more than this, in milliseconds, means that the process itself was blocked. */
const standstillMs = 25;
/** The maximum number of restarts of the timer after a blocked process, so that the wait is bounded. */
const maxTurns = 4;

/** The response did not arrive in time. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

/**
 * Limits the wait for a response of another process, counting only the time in which this process could receive it: a plain timer
 * fires, after long synchronous work, before the responses in the socket are read. Takes up to four times `limitMs` if this
 * process was blocked.
 * @throws NoAnswerInTime if the time is over; otherwise the rejection of the response itself
 */
export function withinRunningTime<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    let timer: NodeJS.Timeout | undefined;

    function startTurn(turn: number): void {
      const due = performance.now() + limitMs;
      timer = setTimeout(() => {
        const stoodStill = performance.now() - due > standstillMs;
        // Sockets are read between timers and immediates, which gives a response that has already arrived a last chance.
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
