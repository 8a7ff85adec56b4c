import { useEffect, useRef } from 'react';
import { onSessionElsewhere, resumeSession } from '../api/session.ts';
import { messages } from './messages.ts';

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
