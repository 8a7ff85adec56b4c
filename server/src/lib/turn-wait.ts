export interface WaitOptions {
  /** Milliseconds; null: no limit. */
  readonly limitMs: number | null;
  /** Called once the wait begins. When the signal aborts, the wait ends with its reason. */
  readonly gone?: (() => AbortSignal) | undefined;
}

/**
 * Calls `giveUp` after the limit with a TurnError, or with the reason of `gone` if that aborts. Returns a function that
 * ends both.
 * @throws the reason of `gone` if that is aborted already
 */
export function limitWait({ limitMs, gone }: WaitOptions, giveUp: (reason: unknown) => void): () => void {
  const signal = gone?.();
  signal?.throwIfAborted();
  const onGone = () => giveUp(signal?.reason);
  const onLimit = () => giveUp(new TurnError(`no turn within ${limitMs} ms`));
  const timer = limitMs === null ? undefined : setTimeout(onLimit, limitMs).unref();
  signal?.addEventListener('abort', onGone);
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onGone);
  };
}

/** No turn was available: too many are waiting, or the wait timed out. Nothing was done; the same request may succeed later. */
export class TurnError extends Error {}
