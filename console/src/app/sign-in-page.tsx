import { useEffect, useRef } from 'react';
import { onSessionElsewhere, resumeSession, useIssuer } from '../api/session.ts';
import mark from '../look/mark.svg';
import { messages } from './messages.ts';
import { SignInForm } from './sign-in-form.tsx';

const words = messages.signIn;

interface Props {
  readonly issuer: string;
  /** Signs in in another tab, so that the page below keeps what was typed into it. */
  readonly inNewTab: boolean;
  readonly onSignedIn: () => void;
}

/** The link to the identity provider, which leads back to the page where it was followed. */
export function SingleSignOn({ issuer, inNewTab, onSignedIn }: Props) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus(), []);
  useEffect(() => {
    if (!inNewTab) return undefined;
    return onSessionElsewhere(() => {
      void resumeSession().then((isSignedIn) => isSignedIn && onSignedIn());
    });
  }, [inNewTab, onSignedIn]);
  const place = new URLSearchParams({ return_to: location.pathname + location.search });
  return (
    <div className="single-sign-on">
      <p className="form-row">
        <a
          ref={link}
          className="button"
          data-kind="primary"
          href={`/console/sign-in?${place}`}
          {...(inNewTab && { target: '_blank', rel: 'noopener' })}
        >
          {words.singleSignOn}
        </a>
        <span className="soft">{new URL(issuer).host}</span>
      </p>
      <p className="soft">{inNewTab ? words.orTokenHere : words.orToken}</p>
    </div>
  );
}

interface SignInPageProps {
  readonly onSignedIn: () => void;
}

/** The sign-in, instead of any page. */
export function SignInPage({ onSignedIn }: SignInPageProps) {
  const issuer = useIssuer();
  if (issuer === undefined) return <output className="visually-hidden">{words.loading}</output>;
  return (
    <main className="sign-in">
      <p className="wordmark">
        <img src={mark} alt="" /> {messages.product} <span className="soft">{messages.console}</span>
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
