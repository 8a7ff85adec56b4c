import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { ApiProblem } from './api-problem.ts';
import type { ResponseOf } from './call.ts';
import { sendOnce } from './send.ts';
import { openGate } from './session-gate.ts';
import { announceSession } from './session-news.ts';

export type Session = ResponseOf<'getConsoleSession'> & {
  /** True if the server is a sandbox, as it says in a header. */
  readonly isSandbox: boolean;
};

const path = '/console/session';

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

async function readSession(): Promise<Session | null> {
  try {
    const response = await sendOnce(path);
    const session = (await response.json()) as ResponseOf<'getConsoleSession'>;
    announceSession();
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

/**
 * Lets held requests go if another tab has signed in meanwhile.
 * @returns true if it has
 */
export async function resumeSession(): Promise<boolean> {
  const session = await readSession().catch(() => null);
  if (session !== null) openGate();
  return session !== null;
}

/** Ends the session on the server. */
export async function signOut(): Promise<void> {
  await sendOnce(path, { method: 'DELETE' });
}
