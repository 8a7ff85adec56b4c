import { messages } from './messages.ts';
import { SignInForm } from './sign-in-form.tsx';

interface Props {
  readonly onSignedIn: () => void;
}

/** The sign-in, in place of any page. */
export function SignInPage({ onSignedIn }: Props) {
  const words = messages.signIn;
  return (
    <main className="sign-in">
      <p className="wordmark">
        {messages.product} <span className="soft">{messages.console}</span>
      </p>
      <h1>{words.title}</h1>
      <SignInForm onSignedIn={onSignedIn} />
      <details>
        <summary>{words.where}</summary>
        <p className="soft">{words.whereText}</p>
      </details>
    </main>
  );
}
