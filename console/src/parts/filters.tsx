import { Combobox } from '@base-ui/react/combobox';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { messages } from './messages.ts';
import { shownName } from './shown-name.ts';

/** A value of a filter and its words. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

const words = messages.filter;
/** Parameters that name a page of the old filters' result. */
const pages = { page: undefined, before: undefined, refused_before: undefined };

/** Returns a function that sets a search parameter, or removes it. */
function useSetFilter(): (name: string, value: string | undefined) => void {
  const navigate = useNavigate();
  return (name, value) => {
    const search = (old: object) => ({ ...old, ...pages, [name]: value });
    void navigate({ to: '.', search: search as never, replace: true });
  };
}

/** The filters of a list, all in the address, and a link that removes them. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  const { page: _, sort, ...filters } = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  return (
    <search className="filters">
      {children}
      {Object.values(filters).some((value) => value !== undefined) && (
        <Link to="." search={{ sort } as never} className="clear-filters">
          {words.clear}
        </Link>
      )}
    </search>
  );
}

interface FilterProps {
  readonly label: string;
  /** The search parameter. */
  readonly name: string;
  readonly value: string | undefined;
}

interface TextProps extends FilterProps {
  readonly isMono?: boolean;
  readonly type?: 'search' | 'date';
  /** Converts what was typed to the value of the address. */
  readonly read?: (text: string) => string;
}

/** A filter by what is typed, applied by Enter and when the field is left. `/` goes to the first one of a page. */
export function TextFilter({ label, name, value = '', isMono, type = 'search', read }: TextProps) {
  const field = useRef<HTMLInputElement>(null);
  const set = useSetFilter();
  const id = useId();
  useEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);

  function apply(event?: FormEvent): void {
    event?.preventDefault();
    const text = field.current?.value.trim() ?? '';
    const typed = text === '' ? '' : (read?.(text) ?? text);
    if (typed !== value) set(name, typed === '' ? undefined : typed);
  }

  return (
    <form className="chip" data-type={type} data-on={value !== '' || undefined} onSubmit={apply}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        id={id}
        type={type}
        className={isMono ? 'mono' : undefined}
        data-search={type === 'search' || undefined}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        onBlur={() => apply()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          // A field for a date does not submit its form.
          else if (event.key === 'Enter') apply(event);
        }}
      />
    </form>
  );
}

/** The days of a list, in UTC as the server counts them. An instant of the address, as of a bar, stays until it is changed. */
export function DayFilters({
  from,
  to,
}: {
  readonly from: string | undefined;
  readonly to: string | undefined;
}) {
  return (
    <>
      <TextFilter label={words.from} name="from" value={from?.slice(0, 10)} type="date" />
      <TextFilter label={words.to} name="to" value={to?.slice(0, 10)} type="date" />
    </>
  );
}

interface ChoiceProps extends FilterProps {
  readonly choices: readonly Choice[];
  /** The words of the value, where the choices may not have it. */
  readonly shown?: string | undefined;
  /** The choices are those that the server finds for what is typed. */
  readonly onType?: (text: string) => void;
  /** true: what is typed is a value as well. */
  readonly isFree?: boolean;
}

/** A filter that is chosen by its words; a chip says what is filtered, and removes it. */
export function ChoiceFilter({ label, name, value, choices, shown, onType, isFree }: ChoiceProps) {
  const [text, setText] = useState('');
  const set = useSetFilter();
  const typed = text.trim();
  const own = { value: typed, label: words.asTyped(typed) };
  const items =
    isFree && typed !== '' && !choices.some((each) => each.value === typed) ? [...choices, own] : choices;
  const known = choices.find((each) => each.value === value);
  const chosen =
    value === undefined || value === '' ? null : { value, label: shown ?? known?.label ?? value };
  return (
    <span className="chip" data-on={chosen !== null || undefined}>
      <Combobox.Root<Choice>
        items={items}
        value={chosen}
        isItemEqualToValue={(one, other) => one.value === other.value}
        onValueChange={(choice) => set(name, choice?.value)}
        onInputValueChange={(next) => {
          setText(next);
          onType?.(next.trim());
        }}
        {...(onType !== undefined && { filter: null })}
      >
        <Combobox.Trigger className="chip-trigger" aria-label={`${label}: ${chosen?.label ?? words.any}`}>
          <span className="soft">{label}</span>
          {chosen !== null && <strong>{chosen.label}</strong>}
          <span aria-hidden="true">▾</span>
        </Combobox.Trigger>
        <Combobox.Portal>
          <Combobox.Positioner align="start" sideOffset={4} className="popup-place">
            <Combobox.Popup className="popup" aria-label={label}>
              <Combobox.Input className="input" aria-label={label} placeholder={words.find} />
              <Combobox.Empty className="soft popup-empty">{words.nothing}</Combobox.Empty>
              <Combobox.List className="popup-list">
                {(choice: Choice) => (
                  <Combobox.Item key={choice.value} value={choice} className="popup-item">
                    {choice.label}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      {chosen !== null && (
        <button
          type="button"
          className="chip-clear"
          aria-label={words.remove(label)}
          onClick={() => set(name, undefined)}
        >
          ×
        </button>
      )}
    </span>
  );
}

/** A filter by a brand, found by its name or id. */
export function BrandFilter({ value }: { readonly value: number | undefined }) {
  const [text, setText] = useState('');
  const found = useBrandChoices(text);
  const chosen = useApi('getBrand', { path: [value ?? 0] }, { isEnabled: value !== undefined });
  return (
    <ChoiceFilter
      label={words.brand}
      name="brand"
      value={value?.toString()}
      shown={chosen.data && shownName(chosen.data.name)}
      choices={found}
      onType={setText}
    />
  );
}

/** Returns brands whose name contains a string. */
export function useBrandChoices(text: string): readonly Choice[] {
  const found = useApi('listBrands', { query: { q: text === '' ? undefined : text, per_page: 20 } });
  return (found.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: shownName(name) }));
}

interface KeyProps {
  readonly name: string;
  readonly value: string | undefined;
  /** Only keys of this brand. */
  readonly brandId: number | undefined;
}

/** A filter by an API key, found by its name or the beginning of its id. */
export function KeyFilter({ name, value, brandId }: KeyProps) {
  const [text, setText] = useState('');
  const query = { brand_id: brandId, q: text === '' ? undefined : text, per_page: 20 };
  const found = useApi('listAllApiKeys', { query });
  const chosen = useApi('getApiKey', { path: [value ?? ''] }, { isEnabled: value !== undefined });
  return (
    <ChoiceFilter
      label={words.key}
      name={name}
      value={value}
      shown={chosen.data && shownName(chosen.data.name)}
      choices={(found.data?.data ?? []).map(({ key_id, name: label }) => ({
        value: key_id,
        label: `${shownName(label)} ${key_id.slice(0, 10)}…`,
      }))}
      onType={setText}
    />
  );
}
