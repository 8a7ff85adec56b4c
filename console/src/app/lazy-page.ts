import { lazyRouteComponent } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';

const askAgainMs = 1000;

/** The one wait for a server that is unavailable; null: it is not waited for. */
let back: Promise<void> | null = null;

/** Resolves when the server responds again, with any status. */
async function untilBack(): Promise<void> {
  setWaiting(true);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
      () => true,
      () => false,
    );
    if (isThere) break;
  }
  back = null;
  setWaiting(false);
}

/**
 * Loads the script of a page. While the server is unavailable, as during a restart, waits for it. A script that a responding
 * server does not have belongs to an earlier version: the console is loaded again.
 */
async function loadPersistently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    back ??= untilBack();
    await back;
  }
  return load().catch((error: unknown) => {
    location.reload();
    throw error;
  });
}

/** Returns the component of a page whose script is loaded when it is opened, or when the browser has nothing else to do. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadPersistently(load), name);

let isWaiting = false;
const listeners = new Set<() => void>();

/** Says that a page waits for a server that is unavailable, or no longer. */
function setWaiting(now: boolean): void {
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
