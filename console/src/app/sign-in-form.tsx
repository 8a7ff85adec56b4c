import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { signIn } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { messages } from './messages.ts';

const words = messages.signIn;

interface Props {
  /** False if something above the field is focused instead. */
  readonly isFirst: boolean;
  readonly onSignedIn: () => void;
}

/** The field for a token. The token is sent once and kept nowhere in the browser. */
export function SignInForm({ isFirst, onSignedIn }: Props) {
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
      <div className="field">
        <label htmlFor="token">{words.label}</label>
        <input
          ref={field}
          id="token"
          className="input"
          data-mono
          type="password"
          autoComplete="current-password"
          required
          // biome-ignore lint/a11y/noAutofocus: the first control of the page, or of the dialog that was opened for it
          autoFocus={isFirst}
          aria-invalid={fault !== null}
          aria-describedby="token-hint token-fault"
        />
        <p id="token-hint" className="hint">
          {words.hint}
        </p>
        <p id="token-fault" className="fault" role="alert">
          {fault}
        </p>
      </div>
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
