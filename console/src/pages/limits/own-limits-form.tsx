import { type FormEvent, useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { messages } from './messages.ts';

export type Limit = ResponseOf<'listBrandLimits'>['data'][number];

interface Props {
  readonly brandId: string;
  /** undefined: the brand. */
  readonly keyId: string | undefined;
  /** The limits of the key, or of the brand. */
  readonly limits: readonly Limit[];
}

const words = messages.form;
/** The names of the API for the limits of the list. */
const fieldOf: Readonly<Record<string, string>> = {
  catalog_reads: 'catalog_reads',
  catalog_writes: 'catalog_writes',
  analytics_key: 'analytics',
  catalog_brand: 'catalog',
  analytics_brand: 'analytics',
};

/** Sets the own limits of a key or of the brand, also until a time, or removes them. */
export function OwnLimitsForm({ brandId, keyId, limits }: Props) {
  const own = limits.filter((limit) => limit.own);
  const [text, setText] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(own.map(({ bucket, limit }) => [bucket, String(limit)])),
  );
  const [until, setUntil] = useState(own[0]?.until?.slice(0, 16) ?? '');
  const changes = {
    key: { set: useChange('limitKey'), reset: useChange('resetKeyLimits') },
    brand: { set: useChange('limitBrand'), reset: useChange('resetBrandLimits') },
  };
  const { set, reset } = keyId === undefined ? changes.brand : changes.key;
  const path: [string] = [keyId ?? brandId];
  const problem = set.error ?? reset.error;
  const faults = problem?.errors ?? {};
  const toast = useToast();
  const isPending = set.isPending || reset.isPending;

  /** The form of the limits that were saved is another one: callbacks of this one would not run. */
  const settle = (change: Promise<unknown>, done: string) =>
    change.then(
      () => toast(done),
      () => {}, // shown in the form
    );

  function submit(event: FormEvent): void {
    event.preventDefault();
    const given = limits.map(({ bucket }) => [fieldOf[bucket], numberOf(text[bucket])]);
    const body = { ...Object.fromEntries(given), until: until === '' ? null : `${until}:00Z` };
    void settle(set.mutateAsync({ path, body } as never), words.saved);
  }

  return (
    <form className="form" onSubmit={submit}>
      {limits.map(({ bucket, limit, own: isOwn }) => (
        <FormField
          key={bucket}
          label={words.buckets[bucket] ?? bucket}
          hint={isOwn ? undefined : words.configured(limit)}
          faults={faults[fieldOf[bucket] ?? '']}
          value={text[bucket] ?? ''}
          inputMode="numeric"
          onChange={({ target }) => setText({ ...text, [bucket]: target.value })}
        />
      ))}
      <FormField
        label={words.until}
        hint={words.untilHint}
        faults={faults['until']}
        type="datetime-local"
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
      {problem !== null && Object.keys(faults).length === 0 && <ErrorNote problem={problem} />}
      <div className="form-row">
        <Button kind="primary" type="submit" disabled={isPending}>
          {words.save}
        </Button>
        {own.length > 0 && (
          <Button
            disabled={isPending}
            onClick={() => void settle(reset.mutateAsync({ path } as never), words.removed)}
          >
            {words.remove}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Leaves what is no number to the server, which names the field. */
function numberOf(text = ''): number | string | null {
  const typed = text.trim();
  return typed === '' ? null : /^\d+$/.test(typed) ? Number(typed) : typed;
}
