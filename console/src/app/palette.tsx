import { useParams, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import type { ResponseOf } from '../api/call.ts';
import { useIsAdministrator, useMayChange, useSignOut } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { Overlay } from '../parts/overlay.tsx';
import { shownName } from '../parts/shown-name.ts';
import { messages } from './messages.ts';
import { actionsFor, brandItems, signOutAction, usePlatformItems } from './navigation.ts';

/** A place that the search offers. */
interface Finding {
  /** The path below `/console`, with its query. */
  readonly to: string;
  readonly label: string;
  readonly kind: string;
}

const keyId = /tuk_[0-9a-f]{24}/;
/** The visible characters of ASCII, as the server accepts them, with a digit. */
const idempotencyKey = /^(?=.*\d)[\x21-\x7e]{1,191}$/;
const shownSkus = 8;
const words = messages.findings;

/**
 * Returns the places for a string: what the server finds by an id or a name, SKUs, titles and Idempotency-Keys of the open
 * brand, pages and actions. A key is found in any text around it. Answers to what was typed before are not offered.
 */
function useFindings(text: string, brandId: string | undefined): readonly Finding[] {
  const platformItems = usePlatformItems();
  const wanted = keyId.exec(text)?.[0] ?? text.trim();
  const lower = wanted.toLowerCase();
  const isAsked = wanted !== '';
  const isInBrand = isAsked && brandId !== undefined;
  const path = [brandId ?? 0] as const;
  const found = useApi('search', { query: { q: wanted || ' ' } }, { isEnabled: isAsked });
  const options = { isEnabled: isInBrand };
  const skus = useApi('listSkus', { path, query: { prefix: wanted, limit: shownSkus } }, options);
  const titled = useApi('listSkus', { path, query: { title: wanted || ' ', limit: shownSkus } }, options);
  const uses = useApi(
    'listIdempotencyKeyUses',
    { path: [brandId ?? 0, wanted] },
    { isEnabled: isInBrand && idempotencyKey.test(wanted) },
  );
  const actions = actionsFor(brandId, useIsAdministrator(), useMayChange());
  const base = `/brands/${brandId}`;
  const rowsOf = <Row,>(read: { data?: { data: readonly Row[] } | undefined; isPlaceholderData: boolean }) =>
    isAsked && !read.isPlaceholderData ? (read.data?.data ?? []) : [];
  const pages = [
    ...(brandId === undefined
      ? []
      : brandItems.map(({ to, label }) => ({ to: `${base}${to}`, label, kind: words.brandPage }))),
    ...platformItems.map(({ to, label }) => ({ to, label, kind: words.page })),
    ...(isAsked ? actions.map((action) => ({ ...action, kind: words.action })) : []),
  ].filter(({ label }) => label.toLowerCase().includes(lower));
  const all = [
    ...rowsOf(found).map(findingOf),
    ...(isInBrand ? rowsOf(skus) : []).flatMap((sku) => skuFindings(base, sku, wanted)),
    ...(isInBrand ? rowsOf(titled) : []).map(({ sku, title, product_tu_id }) => ({
      to: `${base}/products/${product_tu_id}`,
      label: shownName(title),
      kind: words.titled(sku),
    })),
    ...(isInBrand ? rowsOf(uses) : []).flatMap(({ state, request_id: id }) =>
      id === null ? [] : [{ to: `/requests/${id}`, label: wanted, kind: words.idempotency(state) }],
    ),
    ...pages,
  ];
  return [...new Map(all.map((each) => [`${each.kind} ${each.to}`, each])).values()];
}

/** The place of something that the server has found. */
function findingOf(hit: ResponseOf<'search'>['data'][number]): Finding {
  const { kind, id, title, brand_id, brand_name } = hit;
  const [base, path] = [`/brands/${brand_id}`, encodeURIComponent(id)];
  const places: Readonly<Record<string, string>> = {
    brand: `/brands/${path}`,
    key: `${base}/keys/${path}`,
    feed: `${base}/feeds/${path}`,
    product: `${base}/products/${path}`,
    learner: `${base}/learners/${path}`,
    request: `/requests/${path}`,
    job: `/jobs/${path}`,
    administrator: '/administrators',
  };
  return {
    to: places[kind] ?? '/',
    label: shownName(title),
    kind: words.found(kind, kind === 'brand' ? null : brand_name && shownName(brand_name), id),
  };
}

/** The product of a SKU; for the SKU itself also the explanation of its stock. */
function skuFindings(
  base: string,
  { sku, kind, tu_id, product_tu_id, is_deleted }: ResponseOf<'listSkus'>['data'][number],
  wanted: string,
): Finding[] {
  const isVariant = kind === 'variant';
  const to = `${base}/products/${product_tu_id}${isVariant ? `?variant=${tu_id}` : ''}`;
  const product = { to, label: sku, kind: words.sku(isVariant, is_deleted) };
  const stock = `${base}/explain?sku=${encodeURIComponent(sku)}`;
  return sku === wanted ? [product, { to: stock, label: sku, kind: words.explain }] : [product];
}

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Finds brands, SKUs, keys, feeds, requests and pages by what is typed or pasted. */
export function Palette({ isOpen, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Overlay title={messages.search} isOpen={isOpen} onClose={onClose} isTitleHidden initialFocus={field}>
      <PaletteList field={field} onClose={onClose} />
    </Overlay>
  );
}

interface ListProps extends Pick<Props, 'onClose'> {
  readonly field: RefObject<HTMLInputElement | null>;
}

function PaletteList({ field, onClose }: ListProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { brandId } = useParams({ strict: false });
  const findings = useFindings(text, brandId);
  const { history } = useRouter();
  const signOut = useSignOut();
  const id = useId();

  function open(finding: Finding | undefined): void {
    if (finding === undefined) return;
    onClose();
    if (finding.to === signOutAction) void signOut();
    else history.push(`/console${finding.to}`);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && findings.length > 0)
      setActive((index) => (index + step + findings.length) % findings.length);
    else if (event.key === 'Enter') open(findings[active]);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <input
        className="input palette-field"
        role="combobox"
        aria-label={messages.search}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={findings.length === 0 ? undefined : `${id}-${active}`}
        autoComplete="off"
        spellCheck={false}
        placeholder={messages.searchHint}
        ref={field}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={messages.search} className="palette-list">
        {findings.map((finding, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
          // biome-ignore lint/a11y/useFocusableInteractive: active by aria-activedescendant
          <div
            // A brand and its overview are two findings with one address.
            key={`${finding.kind} ${finding.to}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => open(finding)}
            onPointerMove={() => setActive(index)}
          >
            <span>{finding.label}</span>
            <span className="soft">{finding.kind}</span>
          </div>
        ))}
      </div>
      {findings.length === 0 && <p className="soft">{messages.searchNothing}</p>}
      {brandId === undefined && text.trim() !== '' && <p className="soft">{messages.searchInBrand}</p>}
    </>
  );
}
