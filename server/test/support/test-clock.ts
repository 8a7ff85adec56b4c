import type { Clock } from '../../src/lib/clock.ts';

/** The system clock with an offset that the test controls. */
export class TestClock implements Clock {
  #offsetMs = 0;

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}
