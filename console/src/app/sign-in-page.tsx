import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { onSessionElsewhere, resumeSession, signIn, useIssuer } from '../api/session.ts';
import mark from '../look/mark.svg';
import { Button } from '../parts/button.tsx';
import { FormField } from '../parts/form-field.tsx';

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
          Sign in with single sign-on
        </a>
        <span className="soft">{new URL(issuer).host}</span>
      </p>
      <p className="soft">{inNewTab ? 'It opens another tab. Or with a token:' : 'Or with a token:'}</p>
    </div>
  );
}

/** The sign-in, instead of any page. */
export function SignInPage({ onSignedIn }: Pick<Props, 'onSignedIn'>) {
  const issuer = useIssuer();
  if (issuer === undefined) return <output className="visually-hidden">Loading the sign-in</output>;
  return (
    <main className="sign-in">
      <p className="wordmark">
        <img src={mark} alt="" /> Brandport <span className="soft">console</span>
      </p>
      <h1>Sign in</h1>
      {issuer !== null && <SingleSignOn issuer={issuer} inNewTab={false} onSignedIn={onSignedIn} />}
      <SignInForm isFirst={issuer === null} onSignedIn={onSignedIn} />
      <details>
        <summary>Where is the token?</summary>
        <p className="soft">
          In the file <code>admin-token</code> of the data directory, <code>data/</code> unless{' '}
          <code>BRANDPORT_DATA_DIR</code> names another. With <code>BRANDPORT_ADMIN_TOKEN</code>, it is that
          value.
        </p>
      </details>
      {issuer !== null && (
        <p>
          <a href="/console/sign-out">Sign out at the identity provider too</a>
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
        label="Administrator token"
        hint="The admin token of the server, or your own, which begins with bpa_."
        faults={fault === null ? [] : [fault]}
        isMono
        type="password"
        autoComplete="current-password"
        required
        autoFocus={isFirst}
      />
      <div className="form-row">
        <Button kind="primary" type="submit" disabled={isPending}>
          {isPending ? 'Signing in…' : 'Sign in'}
        </Button>
      </div>
    </form>
  );
}

function faultOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return String(error);
  if (error.status === 401) return 'This token is not valid.';
  if (error.status === 429) return 'Too many attempts. Wait a minute.';
  return error.message;
}
