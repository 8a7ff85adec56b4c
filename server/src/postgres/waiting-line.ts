import { TurnError } from './turn-error.ts';

export interface WaitOptions {
  /** Milliseconds. */
  readonly limitMs: number;
  /** Called once the wait begins; aborting it ends the wait with its reason. */
  readonly gone?: (() => AbortSignal) | undefined;
}

/** Those who wait for one thing, first come first served. Leaving is possible at any time. */
export class WaitingLine {
  readonly #waiters = new Set<() => void>();

  get length(): number {
    return this.#waiters.size;
  }

  /**
   * Waits until `admitFirst` reaches this one.
   * @throws TurnError after `limitMs`, the reason of `gone` when that is aborted; neither has been admitted then
   */
  wait({ limitMs, gone }: WaitOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const signal = gone?.();
      const admit = () => {
        leave();
        resolve();
      };
      const leave = () => {
        this.#waiters.delete(admit);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onGone);
      };
      const giveUp = (reason: unknown) => {
        leave();
        reject(reason);
      };
      const onGone = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(new TurnError(`no turn within ${limitMs} ms`)), limitMs);
      this.#waiters.add(admit);
      if (signal?.aborted === true) onGone();
      else signal?.addEventListener('abort', onGone);
    });
  }

  /** Admits the one who has waited longest; false when nobody waits. */
  admitFirst(): boolean {
    for (const admit of this.#waiters) {
      admit();
      return true;
    }
    return false;
  }
}
