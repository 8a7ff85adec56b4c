import { useLayoutEffect } from 'react';
import { type Scope, scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';
import type { ApiProblem } from '../../api/api-problem.ts';
import { Form } from '../../parts/form.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { type LoadedText, MergeNotes, useMergedText } from '../../parts/merged-text.tsx';
import { ScopeGrid } from './scope-grid.tsx';

const labels = { name: 'Name', scopes: 'Scopes', expires: 'Expires on' } as const;

/** The fields as they are typed: the scopes with a comma between them, and the last day; empty: without end. */
type KeyText = Readonly<Record<'name' | 'scopes' | 'expires', string>>;

export interface KeyBody {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
}

/** Returns the fields of a key as the form has them. */
export function keyText(name: string, scopes: readonly string[], expiresAt: string | null): KeyText {
  return { name, scopes: inOrder(scopes).join(','), expires: expiresAt?.slice(0, 10) ?? '' };
}

const inOrder = (scopes: readonly string[]) => scopeNames.filter((scope) => scopes.includes(scope));

const labelOf = (field: keyof KeyText) => labels[field];

interface Props {
  /** The latest known state; a later one is merged with what is typed. */
  readonly latest: LoadedText<KeyText>;
  /** The scopes to choose from; default: all. A key that exists keeps some of the scopes that it has. */
  readonly possible?: readonly Scope[];
  readonly action?: string;
  readonly problem: ApiProblem | null;
  readonly isPending: boolean;
  /** Receives what is typed, and the state from which it began. */
  readonly onSubmit: (body: KeyBody, base: LoadedText<KeyText>) => void;
  /** Called when there begins or ends to be something that would be lost. */
  readonly onChanged?: (isChanged: boolean) => void;
}

/** The name, scopes and expiry of a key. */
export function KeyForm(props: Props) {
  const { latest, possible = scopeNames, action = 'Create the key', problem, isPending } = props;
  const { onSubmit, onChanged } = props;
  const merged = useMergedText<KeyText>(latest);
  const { base, text, conflicts, isChanged, change } = merged;
  const { name, expires } = text;
  const scopes = inOrder(text.scopes.split(','));
  // With the change itself: a passive effect comes later than an Escape that is pressed at once.
  useLayoutEffect(() => onChanged?.(isChanged), [isChanged, onChanged]);

  function choose(next: readonly string[]): void {
    change('scopes', inOrder(next).join(','));
  }

  return (
    <Form
      onSubmit={() =>
        onSubmit({ name, scopes, expires_at: expires === '' ? null : `${expires}T23:59:59Z` }, base)
      }
      isChanged={isChanged}
      problem={problem?.code === 'precondition_failed' ? null : problem}
      action={action}
      isDisabled={isPending || scopes.length === 0 || conflicts.length > 0}
    >
      <FormField
        label="Name"
        hint="The system that uses it, such as PIM or Webshop."
        autoFocus
        required
        value={name}
        faults={problem?.errors['name']}
        onChange={(event) => change('name', event.target.value)}
      />
      <fieldset className="field">
        <legend className="legend">Scopes</legend>
        <ScopeGrid possible={possible} chosen={scopes} onChoose={choose} />
      </fieldset>
      <FormField
        label="Expires on"
        hint="At the end of this UTC day. Empty: never."
        type="date"
        value={expires}
        faults={problem?.errors['expires_at']}
        onChange={(event) => change('expires', event.target.value)}
      />
      <MergeNotes merged={merged} theirs={latest.text} labelOf={labelOf} />
    </Form>
  );
}
