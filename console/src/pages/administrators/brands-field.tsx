import { useId, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { useBrandSuggestions } from '../../parts/filter-field.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { messages } from './messages.ts';

interface Props {
  /** Ids, in the order in which they were chosen. */
  readonly brands: readonly number[];
  readonly isRequired: boolean;
  readonly faults: readonly string[] | undefined;
  readonly onChange: (brands: readonly number[]) => void;
}

/** Chooses brands by name. One that is not in the list is chosen by its id and Enter. */
export function BrandsField({ brands, isRequired, faults, onChange }: Props) {
  const [text, setText] = useState('');
  const suggestions = useBrandSuggestions();
  const list = useId();

  function choose(typed: string): void {
    const id = Number(typed.trim());
    const isId = Number.isInteger(id) && id > 0;
    setText(isId ? '' : typed);
    if (isId && !brands.includes(id)) onChange([...brands, id]);
  }

  return (
    <>
      <FormField
        label={messages.brands}
        hint={messages.brandsHint}
        required={isRequired && brands.length === 0}
        autoComplete="off"
        list={list}
        value={text}
        faults={faults}
        onChange={({ target, nativeEvent }) => {
          // A brand was chosen from the list.
          if ((nativeEvent as InputEvent).inputType === 'insertReplacementText') choose(target.value);
          else setText(target.value);
        }}
        onBlur={() => choose(text)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text === '') return;
          event.preventDefault();
          choose(text);
        }}
      />
      <datalist id={list}>
        {suggestions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
      {brands.length > 0 && (
        <ul className="names" aria-label={messages.chosenBrands}>
          {brands.map((id) => (
            <li key={id}>
              <BrandLink brandId={id} />
              <Button
                kind="plain"
                aria-label={messages.leaveOut(id)}
                onClick={() => onChange(brands.filter((each) => each !== id))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
