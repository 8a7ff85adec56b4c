import { setTimeout } from 'node:timers/promises';

/** Waits. @throws the reason of the signal once it is aborted */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
