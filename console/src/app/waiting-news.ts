import { useSyncExternalStore } from 'react';

let isWaiting = false;
const listeners = new Set<() => void>();

/** Says that a page waits for a server that is unavailable, or no longer. */
export function setWaiting(now: boolean): void {
  isWaiting = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns true while a page waits for a server that is unavailable. */
export function useIsWaiting(): boolean {
  return useSyncExternalStore(subscribe, () => isWaiting);
}
