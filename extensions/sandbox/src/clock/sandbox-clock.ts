import { type Clock, systemClock } from '../../../../server/src/lib/clock.ts';

/** A clock that is ahead of the system's. */
export class SandboxClock implements Clock {
  #aheadMs: number;

  constructor(aheadMs: number) {
    this.#aheadMs = aheadMs;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  set(aheadMs: number): void {
    this.#aheadMs = aheadMs;
  }
}
