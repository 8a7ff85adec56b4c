import { type FormEvent, useState } from 'react';
import { type Scope, scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';
import type { ApiProblem } from '../../api/api-problem.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { messages as shared } from '../../parts/messages.ts';
import { messages } from './messages.ts';

interface Props {
  readonly initialName: string;
  readonly initialScopes: readonly string[];
  readonly problem: ApiProblem | null;
  readonly isPending: boolean;
  readonly onSubmit: (body: { name: string; scopes: readonly Scope[]; expires_at: string | null }) => void;
}

const words = messages.form;

/** The name, scopes and expiry of a key. */
export function KeyForm({ initialName, initialScopes, problem, isPending, onSubmit }: Props) {
  const [name, setName] = useState(initialName);
  const [scopes, setScopes] = useState(() => scopeNames.filter((scope) => initialScopes.includes(scope)));
  const [expires, setExpires] = useState('');

  const isChanged =
    name !== initialName || expires !== '' || scopes.some((scope) => !initialScopes.includes(scope));

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit({ name, scopes, expires_at: expires === '' ? null : `${expires}T23:59:59Z` });
  }

  function toggle(scope: Scope): void {
    setScopes(scopeNames.filter((each) => (each === scope ? !scopes.includes(each) : scopes.includes(each))));
  }

  return (
    <form className="form" onSubmit={submit}>
      <LeaveGuard isOn={isChanged} text={shared.unsaved} />
      <FormField
        label={words.name}
        hint={words.nameHint}
        required
        value={name}
        faults={problem?.errors['name']}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="field">
        <legend className="legend">{words.scopes}</legend>
        <div className="scope-choices">
          {scopeNames.map((scope) => (
            <label key={scope} className="choice mono">
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
              {scope}
            </label>
          ))}
        </div>
        <div className="form-row">
          <Button kind="plain" onClick={() => setScopes([...scopeNames])}>
            {words.all}
          </Button>
          <Button kind="plain" onClick={() => setScopes([])}>
            {words.none}
          </Button>
        </div>
      </fieldset>
      <FormField
        label={words.expires}
        hint={words.expiresHint}
        type="date"
        value={expires}
        faults={problem?.errors['expires_at']}
        onChange={(event) => setExpires(event.target.value)}
      />
      {problem !== null && <ErrorNote problem={problem} />}
      <div className="form-row">
        <Button kind="primary" type="submit" disabled={isPending || scopes.length === 0}>
          {words.submit}
        </Button>
      </div>
    </form>
  );
}
