import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { onSessionElsewhere, resumeSession, signIn, useIssuer } from '../api/session.ts';
import mark from '../look/mark.svg';
import { Button } from '../parts/button.tsx';
import { FormField } from '../parts/form-field.tsx';
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

/** The sign-in, instead of any page. */
export function SignInPage({ onSignedIn }: Pick<Props, 'onSignedIn'>) {
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

interface SignInFormProps extends Pick<Props, 'onSignedIn'> {
  /** False if something above the field is focused instead. */
  readonly isFirst: boolean;
}

/** The field for a token. The token is sent once and kept nowhere in the browser. */
export function SignInForm({ isFirst, onSignedIn }: SignInFormProps) {
  const [fault, setFault] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setPending(true);
    setFault(null);
    try {
      await signIn(field.current?.value.trim() ?? '');
      onSignedIn();
    } catch (error) {
      setFault(faultOf(error));
      setPending(false);
      field.current?.select();
    }
  }

  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      <FormField
        ref={field}
        label={words.label}
        hint={words.hint}
        faults={fault === null ? [] : [fault]}
        isMono
        type="password"
        autoComplete="current-password"
        required
        autoFocus={isFirst}
      />
      <div className="form-row">
        <Button kind="primary" type="submit" disabled={isPending}>
          {isPending ? words.pending : words.submit}
        </Button>
      </div>
    </form>
  );
}

function faultOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return String(error);
  if (error.status === 401) return words.wrong;
  if (error.status === 429) return words.often;
  return error.message;
}
