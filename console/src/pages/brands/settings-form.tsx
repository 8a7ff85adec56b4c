import { type FormEvent, type ReactNode, useState } from 'react';
import type { ApiProblem } from '../../api/api-problem.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FormField } from '../../parts/form-field.tsx';
import type { SettingsText } from './brand-settings.ts';
import { messages } from './messages.ts';

interface Props {
  readonly initial: SettingsText;
  readonly action: string;
  readonly isPending: boolean;
  readonly isReadOnly?: boolean;
  readonly problem: ApiProblem | null;
  readonly onSubmit: (text: SettingsText) => void;
  /** Shown below the fields for what is typed. */
  readonly preview?: (text: SettingsText) => ReactNode;
}

const words = messages.form;
const fields = [
  ['name', words.name, words.nameHint],
  ['currency', words.currency, words.currencyHint],
  ['default_language', words.language, words.languageHint],
  ['low_stock_threshold', words.lowStock, words.lowStockHint],
  ['stale_after_hours', words.stale, words.staleHint],
] as const;

/** The name and settings of a brand. */
export function SettingsForm(props: Props) {
  const { initial, action, isPending, isReadOnly = false, problem, onSubmit, preview } = props;
  const [text, setText] = useState(initial);
  const isChanged = fields.some(([name]) => text[name] !== initial[name]);
  const faults = problem?.errors ?? {};
  const isShownAtFields = fields.some(([name]) => faultsOf(faults, name) !== undefined);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit(text);
  }

  return (
    <form className="form" onSubmit={submit}>
      {fields.map(([name, label, hint]) => (
        <FormField
          key={name}
          label={label}
          hint={hint}
          faults={faultsOf(faults, name)}
          value={text[name]}
          required={name !== 'stale_after_hours'}
          readOnly={isReadOnly}
          inputMode={name.includes('hours') || name.includes('threshold') ? 'numeric' : 'text'}
          onChange={(event) => setText({ ...text, [name]: event.target.value })}
        />
      ))}
      {preview?.(text)}
      {problem !== null && !isShownAtFields && <ErrorNote problem={problem} />}
      {!isReadOnly && (
        <div className="form-row">
          <button className="button" data-kind="primary" type="submit" disabled={isPending || !isChanged}>
            {action}
          </button>
          {isChanged && initial.name !== '' && <span className="soft">{words.unsaved}</span>}
        </div>
      )}
    </form>
  );
}

function faultsOf(
  faults: Readonly<Record<string, readonly string[]>>,
  name: string,
): readonly string[] | undefined {
  return faults[name] ?? faults[`settings.${name}`];
}
