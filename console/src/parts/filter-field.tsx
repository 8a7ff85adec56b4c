import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useApi } from '../api/use-api.ts';
import { shownName } from './shown-name.ts';

interface Props {
  readonly label: string;
  /** The search parameter. */
  readonly name: string;
  readonly value: string | undefined;
  readonly type?: 'search' | 'date';
  /** The page's first filter, which `/` goes to. */
  readonly isFirst?: boolean;
  readonly isMono?: boolean;
  /** Converts what was typed to the value of the address. */
  readonly read?: (text: string) => string;
  /** Values to choose from; others can be typed. */
  readonly suggestions?: readonly Suggestion[];
}

export interface Suggestion {
  readonly value: string;
  readonly label: string;
}

/** Parameters that name a page of the old filters' result. */
const pages = { page: undefined, before: undefined, refused_before: undefined };

/** A filter in the address: applied by Enter, and when the field is left. */
export function FilterField({
  label,
  name,
  value = '',
  type = 'search',
  isFirst,
  isMono,
  read,
  suggestions,
}: Props) {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const id = useId();
  useEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);

  function apply(event?: FormEvent | KeyboardEvent): void {
    event?.preventDefault();
    const text = field.current?.value.trim() ?? '';
    const typed = text === '' ? '' : (read?.(text) ?? text);
    if (typed === value) return;
    const search = (old: object) => ({ ...old, ...pages, [name]: typed === '' ? undefined : typed });
    void navigate({ to: '.', search: search as never, replace: true });
  }

  return (
    <form className="field" onSubmit={apply}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        id={id}
        className="input"
        type={type}
        data-mono={isMono || undefined}
        data-search={isFirst || undefined}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        list={suggestions === undefined ? undefined : `${id}-values`}
        onInput={({ nativeEvent }) => {
          // A value was chosen from the list.
          if ((nativeEvent as InputEvent).inputType === 'insertReplacementText') apply();
        }}
        onBlur={() => apply()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          // A field for a date does not submit its form.
          else if (event.key === 'Enter') apply(event);
        }}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-values`}>
          {suggestions.map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </datalist>
      )}
    </form>
  );
}

/** Returns the first 200 brands that the user may see, for a field that takes the id of one. */
export function useBrandSuggestions(): readonly Suggestion[] {
  const brands = useApi('listBrands', { query: { per_page: 200 } });
  return (brands.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: shownName(name) }));
}
