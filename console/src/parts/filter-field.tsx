import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef } from 'react';

interface Props {
  readonly label: string;
  /** The search parameter. */
  readonly name: string;
  readonly value: string | undefined;
  readonly type?: 'search' | 'date';
  /** The page's first filter, which `/` goes to. */
  readonly isFirst?: boolean;
  readonly isMono?: boolean;
}

/** A filter in the address: applied by Enter, and when the field is left. */
export function FilterField({ label, name, value = '', type = 'search', isFirst, isMono }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const id = useId();
  useEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);

  function apply(event?: FormEvent): void {
    event?.preventDefault();
    const typed = field.current?.value.trim() ?? '';
    if (typed === value) return;
    const search = (old: object) => ({ ...old, page: undefined, [name]: typed === '' ? undefined : typed });
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
        onBlur={() => apply()}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </form>
  );
}
