import { Combobox } from '@base-ui/react/combobox';
import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { useSetFilters } from './set-filter.ts';
import { shownName } from './shown-name.ts';

export { TimeFilter, TimeRange } from './time-filter.tsx';

/** A value of a filter and its words. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Returns the choices of values by their words. */
export function choicesOf(words: Readonly<Record<string, string>>): readonly Choice[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** Returns the choices of values that are their own words. */
export function plainChoices(values: readonly (string | number)[]): readonly Choice[] {
  return values.map((value) => ({ value: String(value), label: String(value) }));
}

/** Returns whether the address has more than the page and the order of a list, and what was not understood. */
export function useIsFiltered(): boolean {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const { page: _, sort: __, not_understood: ___, ...filters } = search;
  return Object.values(filters).some((value) => value !== undefined);
}

/** The filters of a list, all in the address, and a link that removes them. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  const { sort } = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  return (
    <search className="filters">
      {children}
      {useIsFiltered() && (
        <Link to="." search={{ sort } as never} className="clear-filters">
          Clear the filters
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
  /** Called with what Enter applies; true: it has led to another page, and nothing is filtered. */
  readonly onEnter?: (text: string) => Promise<boolean>;
}

/** A filter by what is typed, applied by Enter and when the field is left. `/` goes to the first one of a page. */
export function TextFilter({ label, name, value = '', isMono, onEnter }: TextProps) {
  const field = useRef<HTMLInputElement>(null);
  const set = useSetFilters();
  const id = useId();
  useEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);

  async function apply(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    const text = field.current?.value.trim() ?? '';
    if (event !== undefined && text !== '' && (await onEnter?.(text))) return;
    if (text !== value) set({ [name]: text || undefined });
  }

  return (
    <form className="chip" data-type="search" data-on={value !== '' || undefined} onSubmit={apply}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        id={id}
        type="search"
        className={isMono ? 'mono' : undefined}
        data-search
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        onBlur={() => void apply()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </form>
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
  const set = useSetFilters();
  const typed = text.trim();
  const own = { value: typed, label: `“${typed}”` };
  const items =
    isFree && typed !== '' && !choices.some((each) => each.value === typed) ? [...choices, own] : choices;
  const known = choices.find((each) => each.value === value);
  const chosen =
    value === undefined || value === '' ? null : { value, label: shown ?? known?.label ?? value };
  return (
    <span className="chip" data-on={chosen !== null || undefined}>
      <Combobox.Root<Choice>
        autoHighlight
        items={items}
        value={chosen}
        isItemEqualToValue={(one, other) => one.value === other.value}
        onValueChange={(choice) => set({ [name]: choice?.value })}
        onInputValueChange={(next) => {
          setText(next);
          onType?.(next.trim());
        }}
        {...(onType !== undefined && { filter: null })}
      >
        <Combobox.Trigger className="chip-trigger" aria-label={`${label}: ${chosen?.label ?? 'any'}`}>
          <span className="soft">{label}</span>
          {chosen !== null && <strong>{chosen.label}</strong>}
          <span aria-hidden="true">▾</span>
        </Combobox.Trigger>
        <Combobox.Portal>
          <Combobox.Positioner align="start" sideOffset={4} className="popup-place">
            <Combobox.Popup className="popup" aria-label={label}>
              <Combobox.Input className="input" aria-label={label} placeholder="Type to find" />
              <Combobox.Empty className="soft popup-empty">Nothing found</Combobox.Empty>
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
          aria-label={`Remove the filter ${label}`}
          onClick={() => set({ [name]: undefined })}
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
      label="Brand"
      name="brand"
      value={value?.toString()}
      shown={chosen.data && shownName(chosen.data.name)}
      choices={found}
      onType={setText}
    />
  );
}

/** Returns brands whose name contains a string; none until they are read: Enter takes no brand of what was typed before. */
export function useBrandChoices(text: string): readonly Choice[] {
  const found = useApi('listBrands', { query: { q: text === '' ? undefined : text, per_page: 20 } });
  const brands = found.isPlaceholderData ? [] : (found.data?.data ?? []);
  return brands.map(({ id, name }) => ({ value: String(id), label: shownName(name) }));
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
      label="Key"
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
