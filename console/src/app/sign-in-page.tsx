import { useIssuer } from '../api/session.ts';
import { messages } from './messages.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

interface Props {
  readonly onSignedIn: () => void;
}

/** The sign-in, instead of any page. */
export function SignInPage({ onSignedIn }: Props) {
  const words = messages.signIn;
  const issuer = useIssuer();
  if (issuer === undefined) return <output className="visually-hidden">{words.loading}</output>;
  return (
    <main className="sign-in">
      <p className="wordmark">
        {messages.product} <span className="soft">{messages.console}</span>
      </p>
      <h1>{words.title}</h1>
      {issuer !== null && <SingleSignOn issuer={issuer} inNewTab={false} onSignedIn={onSignedIn} />}
      <SignInForm isFirst={issuer === null} onSignedIn={onSignedIn} />
      <details>
        <summary>{words.where}</summary>
        <p className="soft">{words.whereText}</p>
      </details>
      {issuer !== null && (
        <p>
          <a href="/console/sign-out">{words.leaveProvider}</a>
        </p>
      )}
    </main>
  );
}
