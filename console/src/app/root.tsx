import { useEffect, useRef } from 'react';
import { type Session, SessionContext, useSessionQuery } from '../api/session.ts';
import { waitForSignIn } from '../api/session-gate.ts';
import mark from '../look/mark.svg';
import { ErrorNote, Loading } from '../parts/loaded.tsx';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

/**
 * Shows the console to who is signed in, and the sign-in to everybody else, at the same address. Who has been signed in keeps
 * the page: when the session has ended, the sign-in opens above it [D303].
 */
export function Root() {
  const session = useSessionQuery();
  const isSignedInHere = useRef(false);
  const latest = useRef<Session | null>(null);
  latest.current = session.data ?? latest.current;
  const hasEnded = session.data === null && latest.current !== null;
  useEffect(() => {
    if (hasEnded) void waitForSignIn();
  }, [hasEnded]);
  if (session.isPending) return <PendingShell />;
  if (session.isError && session.data === undefined) {
    return (
      <main className="sign-in">
        <ErrorNote problem={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (latest.current === null) {
    isSignedInHere.current = true;
    return <SignInPage onSignedIn={() => void session.refetch()} />;
  }
  return (
    <SessionContext value={latest.current}>
      <Shell isSignedInHere={isSignedInHere.current} />
    </SessionContext>
  );
}

/** The frame as `index.html` has it, while the session is read. */
function PendingShell() {
  return (
    <div className="shell">
      <div className="rail">
        <p className="wordmark">
          <img src={mark} alt="" /> Brandport
        </p>
      </div>
      <main>
        <div className="page">
          <Loading />
        </div>
      </main>
    </div>
  );
}
