import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { ApiProblem } from './api-problem.ts';
import type { ResponseOf } from './call.ts';
import { sendOnce } from './send.ts';
import { openGate } from './session-gate.ts';

export type Session = ResponseOf<'getConsoleSession'> & {
  /** True if the server is a sandbox, as it says in a header. */
  readonly isSandbox: boolean;
};

const path = '/console/session';
/** Tells the other tabs of this browser that there is a session, since all of them have its cookie. */
const channel = new BroadcastChannel('brandport-session');

export const SessionContext = createContext<Session | null>(null);

/** Returns the session of the user. Only pages inside the shell may call it. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession is used outside of the shell');
  return session;
}

/** Returns true if the user may change something, in the brands that they see. The server checks it again. */
export function useMayChange(): boolean {
  return useSession().role !== 'support';
}

/** Returns true if the user may do what concerns the whole platform. The server checks it again. */
export function useIsAdministrator(): boolean {
  return useSession().role === 'administrator';
}

/** Reads the session. null: not signed in. */
export function useSessionQuery() {
  return useQuery<Session | null, ApiProblem>({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: 60_000,
  });
}

/** Reads the session; a session that is found lets held requests go. */
async function readSession(): Promise<Session | null> {
  try {
    const response = await sendOnce(path);
    const session = (await response.json()) as ResponseOf<'getConsoleSession'>;
    channel.postMessage('signed in');
    openGate();
    return { ...session, isSandbox: response.headers.get('x-brandport-sandbox') === 'true' };
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
}

/**
 * Signs in with an administrator's token.
 * @throws ApiProblem 401 for a token that is not valid, 429 after too many attempts
 */
export async function signIn(token: string): Promise<void> {
  const body = JSON.stringify({ token });
  await sendOnce(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  openGate();
}

/** Returns whether another tab has signed in meanwhile. Held requests go then. */
export async function resumeSession(): Promise<boolean> {
  return (await readSession().catch(() => null)) !== null;
}

/** Calls a function when another tab has found a session. @returns a function that stops it */
export function onSessionElsewhere(listener: () => void): () => void {
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}

/** Returns a function that ends the session and opens the sign-in. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await sendOnce(path, { method: 'DELETE' });
    queries.clear();
    location.reload();
  };
}

/**
 * Reads the issuer of single sign-on. undefined: not known yet; null: not configured, or the server does not say, and then a
 * token is the way to sign in.
 */
export function useIssuer(): string | null | undefined {
  const { data, isPending } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: readIssuer,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isPending ? undefined : (data ?? null);
}

async function readIssuer(): Promise<string | null> {
  const response = await sendOnce('/console/sign-in-methods');
  const methods = (await response.json()) as ResponseOf<'getSignInMethods'>;
  return methods.single_sign_on?.issuer ?? null;
}
