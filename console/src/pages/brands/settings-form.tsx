import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api/api-problem.ts';
import { Form } from '../../parts/form.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { type LoadedText, MergeNotes, useMergedText } from '../../parts/merged-text.tsx';
import { messages as shared } from '../../parts/messages.ts';
import { type SettingsField, type SettingsText, settingsFields } from './brand-settings.ts';

interface Props {
  /** The latest known state. */
  readonly initial: LoadedText<SettingsText>;
  readonly action: string;
  readonly isPending: boolean;
  readonly isReadOnly?: boolean;
  readonly problem: ApiProblem | null;
  /** Receives what is typed, and the state from which it began. */
  readonly onSubmit: (text: SettingsText, base: LoadedText<SettingsText>) => void;
  /** Shown below the fields for what is typed. */
  readonly preview?: (text: SettingsText) => ReactNode;
}

const labels: Readonly<Record<SettingsField, readonly [label: string, hint: string]>> = {
  name: ['Name', 'Shown to operators only.'],
  currency: ['Currency', 'ISO 4217. For products without their own.'],
  default_language: ['Language', 'BCP 47, such as en or fr-CH. For products without their own.'],
  low_stock_threshold: ['Low stock threshold', 'Availability is low_stock up to this available quantity.'],
  stale_after_hours: [
    'Stale after, hours',
    'Without a feed for so long, stock counts as stale. Empty: never.',
  ],
};
const labelOf = (field: SettingsField) => labels[field][0];

/** The name and settings of a brand. */
export function SettingsForm(props: Props) {
  const { initial, action, isPending, isReadOnly = false, problem, onSubmit, preview } = props;
  const merged = useMergedText<SettingsText>(initial);
  const { base, text, conflicts, isChanged, change } = merged;
  const faults = problem?.errors ?? {};
  const isShownAtFields = settingsFields.some((field) => faultsOf(faults, field) !== undefined);
  const isShown = problem !== null && problem.code !== 'precondition_failed' && !isShownAtFields;

  return (
    <Form
      onSubmit={() => onSubmit(text, base)}
      isChanged={isChanged}
      problem={isShown ? problem : null}
      action={isReadOnly ? null : action}
      isDisabled={isPending || !isChanged || conflicts.length > 0}
      more={isChanged && initial.tag !== undefined && <span className="soft">{shared.notSaved}</span>}
    >
      {settingsFields.map((field) => (
        <FormField
          key={field}
          label={labels[field][0]}
          hint={labels[field][1]}
          faults={faultsOf(faults, field)}
          value={text[field]}
          required={field !== 'stale_after_hours'}
          autoFocus={field === 'name' && initial.tag === undefined}
          readOnly={isReadOnly}
          inputMode={field.includes('hours') || field.includes('threshold') ? 'numeric' : 'text'}
          onChange={(event) => change(field, event.target.value)}
        />
      ))}
      {preview?.(text)}
      <MergeNotes merged={merged} theirs={initial.text} labelOf={labelOf} />
    </Form>
  );
}

function faultsOf(
  faults: Readonly<Record<string, readonly string[]>>,
  name: string,
): readonly string[] | undefined {
  return faults[name] ?? faults[`settings.${name}`];
}
