/**
 * Holds requests back whose session has expired until the user has signed in again. The page that sent them stays as it is, so
 * that nothing typed into it is lost [D261].
 */
let waiting: { promise: Promise<void>; open: () => void } | null = null;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** Asks the user to sign in, once for any number of requests. Resolves after the sign-in. */
export function waitForSignIn(): Promise<void> {
  if (waiting === null) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = { promise, open: resolve };
    notify();
  }
  return waiting.promise;
}

/** Lets all held requests go. */
export function openGate(): void {
  waiting?.open();
  waiting = null;
  notify();
}

/** Returns true while requests wait for a sign-in. */
export function isWaitingForSignIn(): boolean {
  return waiting !== null;
}

/** Calls a function on each change. @returns a function that stops it */
export function onGateChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
