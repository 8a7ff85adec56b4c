import { SessionContext, useSessionQuery } from '../api/session.ts';
import mark from '../look/mark.svg';
import { ErrorNote, Loading } from '../parts/loaded.tsx';
import { messages } from './messages.ts';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** Shows the console to who is signed in, and the sign-in to everybody else, at the same address. */
export function Root() {
  const session = useSessionQuery();
  if (session.isPending) return <PendingShell />;
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

/** The frame as `index.html` has it, while the session is read. */
function PendingShell() {
  return (
    <div className="shell">
      <div className="rail">
        <p className="wordmark">
          <img src={mark} alt="" /> {messages.product}
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
