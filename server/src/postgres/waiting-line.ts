import { TurnError } from './turn-error.ts';

export interface WaitOptions {
  /** Milliseconds. */
  readonly limitMs: number;
  /** Called once the wait begins. When the signal aborts, the wait ends with its reason. */
  readonly gone?: (() => AbortSignal) | undefined;
}

/** A queue for one resource, in order of arrival. A waiter can leave at any time. */
export class WaitingLine {
  readonly #waiters = new Set<() => void>();

  get length(): number {
    return this.#waiters.size;
  }

  /**
   * Waits until `admitFirst` admits this waiter.
   * @throws TurnError after `limitMs`; the reason of `gone` if that aborts. The waiter was not admitted then
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

  /** Admits the waiter that has waited longest. Returns false if there is none. */
  admitFirst(): boolean {
    for (const admit of this.#waiters) {
      admit();
      return true;
    }
    return false;
  }
}
