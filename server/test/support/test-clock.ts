import type { Clock } from '../../src/lib/clock.ts';

/** The system's clock, moved by as much as a test says. */
export class TestClock implements Clock {
  #offsetMs = 0;

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}
