import { type FormEvent, useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { messages } from './messages.ts';

export type Limit = ResponseOf<'listBrandLimits'>['data'][number];

interface Owner {
  readonly brandId: string;
  /** undefined: the brand. */
  readonly keyId: string | undefined;
}

interface Props extends Owner {
  /** The limits of the key, or of the brand. */
  readonly limits: readonly Limit[];
  readonly onWarnings: (warnings: readonly string[]) => void;
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

/** The form of the own limits of a key or of the brand, and what the service warned of when they were saved. */
export function OwnLimits(owner: Owner) {
  const { brandId, keyId } = owner;
  // The limits of the brand are the first two.
  const query = keyId === undefined ? { per_page: 2 } : { key_id: keyId };
  const read = useApi('listBrandLimits', { path: [brandId], query });
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const limits = (read.data?.data ?? []).filter(({ key_id }) => key_id === (keyId ?? null));
  // Changes with the stored values, and not with the counts: the form begins again after each change of them.
  const stored = JSON.stringify(limits.map(({ limit, own, until }) => [limit, own, until]));
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} className="note" role="status">
          {warning}
        </p>
      ))}
      {limits.length > 0 && (
        <OwnLimitsForm key={stored} {...owner} limits={limits} onWarnings={setWarnings} />
      )}
      {read.error && <ErrorNote problem={read.error} />}
    </>
  );
}

/** Sets the own limits of a key or of the brand, also until a time, or removes them. */
function OwnLimitsForm({ brandId, keyId, limits, onWarnings }: Props) {
  const own = limits.filter((limit) => limit.own);
  const [text, setText] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(own.map(({ bucket, limit }) => [bucket, String(limit)])),
  );
  const [until, setUntil] = useState(own[0]?.until?.slice(0, 16) ?? '');
  const set = useChange(keyId === undefined ? 'limitBrand' : 'limitKey');
  const reset = useChange(keyId === undefined ? 'resetBrandLimits' : 'resetKeyLimits');
  const path: [string] = [keyId ?? brandId];
  const problem = set.error ?? reset.error;
  const faults = problem?.errors ?? {};
  const toast = useToast();
  const isPending = set.isPending || reset.isPending;
  const isEmpty = limits.every(({ bucket }) => numberOf(text[bucket]) === null);

  /** The form of the limits that were saved is another one: callbacks of this one would not run. */
  const settle = (change: Promise<{ warnings?: readonly string[] } | undefined>, done: string) =>
    change.then(
      (saved) => {
        onWarnings(saved?.warnings ?? []);
        toast(done);
      },
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
        <Button kind="primary" type="submit" disabled={isPending || isEmpty}>
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
