import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, type ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton, ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type LoadedText, MergeNotes, useMergedText } from '../../parts/merged-text.tsx';
import { figure, messages as shared } from '../../parts/messages.ts';
import { utcOf } from '../../parts/moment.tsx';
import { toast } from '../../parts/toast.ts';
import { useZone } from '../../parts/zone.ts';

export const buckets = {
  catalog_reads: 'Reads of the catalog a minute',
  catalog_writes: 'Writes of the catalog a minute',
  analytics_key: 'Requests to analytics a minute',
  catalog_brand: 'Requests to the catalog a minute',
  analytics_brand: 'Requests to analytics a minute',
} as Readonly<Record<string, string>>;

export type Limit = ResponseOf<'listBrandLimits'>['data'][number];
type LimitText = Readonly<Record<string, string>>;

interface Owner {
  readonly brandId: string;
  /** undefined: the brand. */
  readonly keyId?: string;
}

const refreshMs = 3000;
/** The names of the API for the limits of the list. */
const fieldOf: Readonly<Record<string, 'catalog_reads' | 'catalog_writes' | 'catalog' | 'analytics'>> = {
  catalog_reads: 'catalog_reads',
  catalog_writes: 'catalog_writes',
  analytics_key: 'analytics',
  catalog_brand: 'catalog',
  analytics_brand: 'analytics',
};

const queryOf = ({ keyId }: Owner) => (keyId === undefined ? { per_page: 2 } : { key_id: keyId });

/** The limits of a key or of the brand, with their use; what is typed survives a change by somebody else. */
export function OwnLimits(owner: Owner) {
  const { brandId, keyId } = owner;
  const read = useApi('listBrandLimits', { path: [brandId], query: queryOf(owner) }, { refreshMs });
  const ofBrand = useApi('listBrandLimits', { path: [brandId], query: { per_page: 2 } }, { refreshMs });
  const title = useRef<HTMLHeadingElement>(null);
  const isShown = read.data !== undefined;
  // A link to the section is followed before the section is there.
  useEffect(() => {
    if (isShown && location.hash === '#own-limits') title.current?.scrollIntoView();
  }, [isShown]);
  return (
    <section className="section" aria-labelledby="own-limits">
      <h2 ref={title} id="own-limits">
        Rate limits
      </h2>
      <Loaded query={read}>
        {({ data }) => {
          // What is saved is of this owner, or nothing is saved: a key that is not listed has no fields.
          const limits = data.filter(({ key_id }) => key_id === (keyId ?? null));
          return limits.length === 0 ? (
            <p className="note">
              This key is not among the active keys of the brand: it is revoked or expired, or of another
              brand. Its limits cannot be changed.
            </p>
          ) : (
            <LimitsForm key={keyId} {...owner} limits={limits} ofBrand={ofBrand.data?.data ?? []} />
          );
        }}
      </Loaded>
    </section>
  );
}

/** The own limits as the fields of the form; a limit that is as configured is empty. */
function textOf(limits: readonly Limit[]): LoadedText<LimitText> {
  const until = limits.find(({ own }) => own)?.until?.slice(0, 16) ?? '';
  const text = {
    ...Object.fromEntries(limits.map(({ bucket, own, limit }) => [bucket, own ? String(limit) : ''])),
    until,
  };
  return { text, tag: JSON.stringify(text) };
}

const labelOf = (field: string) => (field === 'until' ? `Until, UTC` : (buckets[field] ?? field));

const tellReset = () => toast('The configured limits hold again.');

interface FormProps extends Owner {
  readonly limits: readonly Limit[];
  readonly ofBrand: readonly Limit[];
}

function LimitsForm({ brandId, keyId, limits, ofBrand }: FormProps) {
  const stored = textOf(limits);
  const merged = useMergedText(stored);
  const { text, base, isChanged, conflicts, change } = merged;
  const [unread, setUnread] = useState<Error | null>(null);
  const [doubts, setDoubts] = useState<readonly string[]>([]);
  const queries = useQueryClient();
  const set = useChange(keyId === undefined ? 'limitBrand' : 'limitKey');
  const reset = useChange(keyId === undefined ? 'resetBrandLimits' : 'resetKeyLimits');
  const path: [string] = [keyId ?? brandId];
  const problem = set.error ?? reset.error ?? unread;
  const faults = (set.error ?? reset.error)?.errors ?? {};
  const isReadOnly = !useMayChange();
  const isPending = set.isPending || reset.isPending;
  const isEmpty = limits.every(({ bucket }) => numberOf(text[bucket]) === null);

  /** A save replaces all limits of the owner: it begins with what is stored now, or not at all. */
  async function save(): Promise<void> {
    setUnread(null);
    const query = queryOf({ brandId, ...(keyId !== undefined && { keyId }) });
    const now = await call('listBrandLimits', { path: [brandId], query: { ...query, busiest: true } }).catch(
      (error: Error) => error,
    );
    if (now instanceof Error) return setUnread(now);
    if (textOf(now.data).tag !== base.tag) return queries.invalidateQueries();
    const found = doubtsOf(now.data, text);
    if (found.length > 0) return setDoubts(found);
    await write().catch(() => {});
  }

  function write(): Promise<unknown> {
    const given = limits.map(({ bucket }) => [fieldOf[bucket], numberOf(text[bucket])]);
    const body = { ...Object.fromEntries(given), until: instantOf(text['until']) };
    return set.mutateAsync({ path, body } as never).then(() => toast('The limits are saved.'));
  }

  return (
    <>
      <ConfirmDialog
        title="Set these limits?"
        action="Set them anyway"
        isOpen={doubts.length > 0}
        onClose={() => setDoubts([])}
        onConfirm={write}
      >
        {doubts.map((doubt) => (
          <p key={doubt}>{doubt}</p>
        ))}
      </ConfirmDialog>
      <Form
        onSubmit={() => void save()}
        isChanged={isChanged}
        problem={Object.keys(faults).length === 0 ? problem : null}
        action={isReadOnly ? null : 'Set the limits'}
        isDisabled={isPending || !isChanged || isEmpty || conflicts.length > 0}
        more={
          <>
            {limits.some(({ own }) => own) && (
              <Button
                disabled={isPending}
                onClick={() => reset.mutate({ path } as never, { onSuccess: tellReset })}
              >
                Use the configured limits
              </Button>
            )}
            {isChanged && <span className="soft">{shared.notSaved}</span>}
          </>
        }
      >
        <LimitFields limits={limits} text={text} faults={faults} onChange={change} />
        {keyId !== undefined && (
          <BrandLimitNote brandId={brandId} text={text} isSaved={!isChanged} ofBrand={ofBrand} />
        )}
        <MergeNotes merged={merged} theirs={stored.text} labelOf={labelOf} />
      </Form>
    </>
  );
}

interface FieldsProps {
  readonly limits: readonly Limit[];
  readonly text: LimitText;
  /** The faults of each field, under its name in the API. */
  readonly faults: Readonly<Record<string, readonly string[]>>;
  readonly onChange: (field: string, value: string) => void;
}

/** A field for each limit, and one for their end. */
function LimitFields({ limits, text, faults, onChange }: FieldsProps) {
  const isReadOnly = !useMayChange();
  const zone = useZone();
  return (
    <div className="limit-fields">
      {limits.map(({ bucket, limit, own, used }) => (
        <FormField
          key={bucket}
          label={labelOf(bucket)}
          hint={textOfUse(used, limit, own)}
          faults={faults[fieldOf[bucket] ?? '']}
          value={text[bucket] ?? ''}
          readOnly={isReadOnly}
          inputMode="numeric"
          onChange={({ target }) => onChange(bucket, target.value)}
        />
      ))}
      <FormField
        label={`Until, ${zone.name}`}
        hint="Then the configured limits hold again. Empty: no end."
        faults={faults['until']}
        type="datetime-local"
        value={zone.fieldOf(instantOf(text['until']) ?? '')}
        readOnly={isReadOnly}
        onChange={({ target: { value } }) => onChange('until', value && zone.instantOf(value).slice(0, 16))}
      />
    </div>
  );
}

/** Returns what to ask about before limits are saved: one below what was used, and one that is raised without an end. */
function doubtsOf(limits: readonly Limit[], text: LimitText): readonly string[] {
  return limits.flatMap(({ bucket, limit, busiest }) => {
    const typed = numberOf(text[bucket]);
    if (typeof typed !== 'number') return [];
    const name = `${labelOf(bucket)}: ${figure(typed)}`;
    if (busiest && typed < busiest.requests)
      return [
        `${name} is less than what was used: up to ${figure(busiest.requests)} a minute on ${busiest.at.slice(0, 10)}.`,
      ];
    const isRaised = limit !== null && typed > limit;
    return isRaised && text['until'] === '' ? [`${name} instead of ${figure(limit)}, without end.`] : [];
  });
}

interface NoteProps {
  readonly brandId: string;
  /** The text typed for the key. */
  readonly text: LimitText;
  /** false: the brand's limit is raised only after that of the key is saved. */
  readonly isSaved: boolean;
  readonly ofBrand: readonly Limit[];
}

/** Says which limits of the brand are tighter than those of the key, and raises them until the same time. */
function BrandLimitNote({ brandId, text, isSaved, ofBrand }: NoteProps) {
  const raise = useChange('limitBrand');
  const mayChange = useMayChange();
  const needed = ofBrand.map(({ bucket, limit, own }) => {
    const ofKey = bucket === 'catalog_brand' ? ['catalog_reads', 'catalog_writes'] : ['analytics_key'];
    const most = Math.max(0, ...ofKey.map((each) => Number(text[each] || 0)).filter(Number.isSafeInteger));
    return { bucket, limit, own, most, isTighter: limit !== null && most > limit };
  });
  const tighter = needed.filter(({ isTighter }) => isTighter);
  if (tighter.length === 0) return null;
  // Both limits of a brand end together: the later end holds, none is the latest.
  const ends = [text['until'] ?? '', ...ofBrand.filter(({ own }) => own).map(({ until }) => until ?? '')];
  const until = ends.includes('')
    ? null
    : ends
        .map((end) => instantOf(end.slice(0, 16)) ?? '')
        .sort()
        .at(-1);

  async function submit(): Promise<void> {
    const limits = needed.map(({ bucket, limit, own, most, isTighter }) => [
      fieldOf[bucket],
      isTighter ? most : own ? limit : null,
    ]);
    const body = { ...Object.fromEntries(limits), until };
    await raise.mutateAsync({ path: [brandId], body });
    toast("The brand's limit is raised.");
  }

  return (
    <div className="note" role="status">
      {tighter.map(({ bucket, limit, most }) => (
        <p key={bucket}>
          {figure(most)} a minute is more than the {figure(limit ?? 0)} of all keys of the brand together,
          which hold as well.
        </p>
      ))}
      {mayChange && (
        <p className="form-row">
          <ConfirmButton
            title="Raise the limit of the whole brand?"
            action={raiseText(
              tighter.map(({ most }) => figure(most)).join(', '),
              until ? utcOf(until) : null,
            )}
            isDisabled={!isSaved}
            kind="primary"
            onConfirm={submit}
          >
            {raiseEffect(until ? utcOf(until) : null)}
            {tighter.map(
              ({ bucket, limit, own }) =>
                own && (
                  <p key={bucket}>
                    It replaces the brand's own limit of {figure(limit ?? 0)}, which does not come back.
                  </p>
                ),
            )}
          </ConfirmButton>
          {!isSaved && <span className="soft">Set the limits of the key first.</span>}
        </p>
      )}
    </div>
  );
}

/** Leaves what is no number to the server, which names the field. */
function numberOf(text = ''): number | string | null {
  const typed = text.trim();
  return typed === '' ? null : /^\d+$/.test(typed) ? Number(typed) : typed;
}

function instantOf(text = ''): string | null {
  return text === '' ? null : `${text}:00Z`;
}

function textOfUse(used: number, limit: number | null, isOwn: boolean): string {
  return `${figure(used)} of ${limit === null ? 'unlimited' : figure(limit)} used in this minute. ${
    isOwn ? 'Empty: as configured.' : 'As configured while it is empty.'
  }`;
}

function raiseText(limits: string, until: string | null): string {
  return `Raise the brand's limit to ${limits} ${until === null ? 'without end' : `until ${until}`}`;
}

function raiseEffect(until: string | null): string {
  return until === null
    ? 'All keys of the brand may use it together, until somebody changes it again.'
    : `All keys of the brand may use it together. After ${until} the configured limit holds.`;
}
