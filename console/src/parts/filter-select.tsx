import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';

interface Props {
  readonly label: string;
  /** The search parameter. */
  readonly name: string;
  readonly value: string | undefined;
  /** Values and their words. The empty value removes the filter. */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** A filter in the address with a list of values. */
export function FilterSelect({ label, name, value = '', options }: Props) {
  const navigate = useNavigate();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="input"
        value={value}
        onChange={({ target }) => {
          const chosen = target.value === '' ? undefined : target.value;
          const search = (old: object) => ({ ...old, page: undefined, [name]: chosen });
          void navigate({ to: '.', search: search as never, replace: true });
        }}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
