import { type ComponentProps, type ReactNode, useId } from 'react';

interface Props extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Messages of the server about this field. */
  readonly faults?: readonly string[] | undefined;
  readonly isMono?: boolean;
}

/** A field with its label, its hint and what is wrong with it. */
export function FormField({ label, hint, faults = [], isMono = false, ...input }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="input"
        data-mono={isMono || undefined}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={`${id}-hint ${id}-fault`}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {faults.length > 0 && (
        <p id={`${id}-fault`} className="fault" role="alert">
          {faults.join(' ')}
        </p>
      )}
    </div>
  );
}
