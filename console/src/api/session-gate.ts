import { sharedValue } from '../parts/shared-value.ts';

/**
 * Holds requests back whose session has expired until the user has signed in again. The page that sent them stays as it is, so
 * that nothing typed into it is lost [D261].
 */
const waiting = sharedValue<PromiseWithResolvers<void> | null>(null);

/** Asks the user to sign in, once for any number of requests. Resolves after the sign-in. */
export function waitForSignIn(): Promise<void> {
  const gate = waiting.get() ?? Promise.withResolvers<void>();
  if (waiting.get() === null) waiting.set(gate);
  return gate.promise;
}

/** Lets all held requests go. */
export function openGate(): void {
  waiting.get()?.resolve();
  waiting.set(null);
}

/** Returns true while requests wait for a sign-in. */
export function useIsWaitingForSignIn(): boolean {
  return waiting.use() !== null;
}
