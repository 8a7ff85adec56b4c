import { lazyRouteComponent } from '@tanstack/react-router';
import { sharedValue } from '../parts/shared-value.ts';

const askAgainMs = 1000;

/** The one wait for a server that is unavailable; null: it is not waited for. */
const back = sharedValue<Promise<void> | null>(null);

/** Resolves when the server responds again, with any status. */
async function untilBack(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
      () => true,
      () => false,
    );
    if (isThere) break;
  }
  back.set(null);
}

/**
 * Loads the script of a page. While the server is unavailable, as during a restart, waits for it. A script that a responding
 * server does not have belongs to an earlier version: the console is loaded again.
 */
async function loadPersistently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    if (back.get() === null) back.set(untilBack());
    await back.get();
  }
  return load().catch((error: unknown) => {
    location.reload();
    throw error;
  });
}

/** Returns the component of a page whose script is loaded when it is opened, or when the browser has nothing else to do. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadPersistently(load), name);

/** Returns true while a page waits for a server that is unavailable. */
export function useIsWaiting(): boolean {
  return back.use() !== null;
}
