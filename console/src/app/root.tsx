import { SessionContext, useSessionQuery } from '../api/session.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** Shows the console to who is signed in, and the sign-in to everybody else, at the same address. */
export function Root() {
  const session = useSessionQuery();
  if (session.isPending) return <output className="visually-hidden">Loading the console</output>;
  if (session.isError) {
    return (
      <main className="sign-in">
        <ErrorNote problem={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (session.data === null) return <SignInPage onSignedIn={() => void session.refetch()} />;
  return (
    <SessionContext value={session.data}>
      <Shell />
    </SessionContext>
  );
}
