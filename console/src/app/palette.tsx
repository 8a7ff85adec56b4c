import { Autocomplete } from '@base-ui/react/autocomplete';
import { useParams, useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ResponseOf } from '../api/call.ts';
import { useIsAdministrator, useMayChange, useSignOut } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { isRotatable } from '../pages/keys/key-state.ts';
import { Overlay } from '../parts/overlay.tsx';
import { shownName } from '../parts/shown-name.ts';
import { actionsFor, brandItems, rotateAction, signOutAction, usePlatformItems } from './navigation.ts';

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
  const mayChange = useMayChange();
  const actions = actionsFor(brandId, useIsAdministrator(), mayChange);
  const base = `/brands/${brandId}`;
  // All at once, and below what is there: an answer that comes later must not move what Enter opens.
  const isAwaited = [found, skus, titled, uses].some(
    (read) => read.isFetching && read.failureCount === 0 && (read.isPending || read.isPlaceholderData),
  );
  const rowsOf = <Row,>(read: { data?: { data: readonly Row[] } | undefined; isPlaceholderData: boolean }) =>
    isAsked && !isAwaited && !read.isPlaceholderData ? (read.data?.data ?? []) : [];
  const pages = [
    ...(brandId === undefined
      ? []
      : brandItems.map(({ to, label }) => ({ to: `${base}${to}`, label, kind: 'Page of the brand' }))),
    ...platformItems.map(({ to, label }) => ({ to, label, kind: 'Page' })),
    ...(isAsked ? actions.map((action) => ({ ...action, kind: 'Action' })) : []),
  ].filter(({ label }) => label.toLowerCase().includes(lower));
  const key = rowsOf(found).find(({ kind, id }) => kind === 'key' && id === wanted);
  const { data: state } = useApi(
    'getApiKey',
    { path: [wanted] },
    { isEnabled: mayChange && key !== undefined },
  );
  const all = [
    ...pages,
    ...rowsOf(found).map(findingOf),
    ...(isInBrand ? rowsOf(skus) : []).flatMap((sku) => skuFindings(base, sku, wanted)),
    ...(isInBrand ? rowsOf(titled) : []).map(({ sku, title, product_tu_id }) => ({
      to: `${base}/products/${product_tu_id}`,
      label: shownName(title),
      kind: `Product ${sku}`,
    })),
    ...(isInBrand ? rowsOf(uses) : []).flatMap(({ state, request_id: id }) =>
      id === null ? [] : [{ to: `/requests/${id}`, label: wanted, kind: `Idempotency-Key, ${state}` }],
    ),
    ...(key !== undefined && state?.key_id === wanted && isRotatable(state) ? [rotationOf(key)] : []),
  ];
  const meant =
    all.length === 0 && isAsked && !isAwaited && !found.isPlaceholderData ? (found.data?.similar ?? []) : [];
  const shown = [...all, ...meant.map(suggestionOf)];
  return [...new Map(shown.map((each) => [`${each.kind} ${each.to}`, each])).values()];
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
    kind: foundText(kind, kind === 'brand' ? null : brand_name && shownName(brand_name), id),
  };
}

/** A brand whose name is nearly what was typed. */
function suggestionOf(hit: ResponseOf<'search'>['similar'][number]): Finding {
  const { to, label, kind } = findingOf(hit);
  return { to, label: `Did you mean ${label}?`, kind };
}

/** The question that replaces a leaked key, for a key that was found by its whole id. */
function rotationOf(hit: ResponseOf<'search'>['data'][number]): Finding {
  const { to, label } = findingOf(hit);
  return { to: `${to}#${rotateAction}`, label, kind: 'Rotate the key now' };
}

/** The product of a SKU; for the SKU itself also the explanation of its stock. */
function skuFindings(
  base: string,
  { sku, kind, tu_id, product_tu_id, is_deleted }: ResponseOf<'listSkus'>['data'][number],
  wanted: string,
): Finding[] {
  const isVariant = kind === 'variant';
  const to = `${base}/products/${product_tu_id}${isVariant ? `?variant=${tu_id}` : ''}`;
  const product = {
    to,
    label: sku,
    kind: is_deleted ? 'Deleted variant' : isVariant ? 'Variant' : 'Product',
  };
  const stock = `${base}/explain?sku=${encodeURIComponent(sku)}`;
  return sku === wanted ? [product, { to: stock, label: sku, kind: 'Explain its stock' }] : [product];
}

interface Props {
  /** The text that was typed before this script was there, for the first time that it opens. */
  readonly typed: string;
  /** Has the focus again when it closes. */
  readonly opener: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Finds brands, SKUs, keys, feeds, requests and pages by what is typed or pasted. */
export function Palette({ typed, opener, isOpen, onClose }: Props) {
  const first = useRef(typed);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Overlay
      title="Search"
      isOpen={isOpen}
      onClose={onClose}
      isTitleHidden
      initialFocus={field}
      finalFocus={opener}
    >
      <PaletteList field={field} first={first} onClose={onClose} />
    </Overlay>
  );
}

interface ListProps extends Pick<Props, 'onClose'> {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly first: RefObject<string>;
}

function PaletteList({ field, first, onClose }: ListProps) {
  const [text, setText] = useState(first.current);
  useEffect(() => {
    first.current = '';
  }, [first]);
  const { brandId } = useParams({ strict: false });
  const findings = useFindings(text, brandId);
  const { history } = useRouter();
  const signOut = useSignOut();

  function open({ to }: Finding): void {
    onClose();
    if (to === signOutAction) void signOut();
    else history.push(`/console${to}`);
  }

  return (
    <Autocomplete.Root
      open
      inline
      items={findings}
      filter={null}
      value={text}
      onValueChange={setText}
      itemToStringValue={({ label }) => label}
      autoHighlight="always"
      keepHighlight
    >
      <Autocomplete.Input
        className="input palette-field"
        aria-label="Search"
        placeholder="Any id, name, SKU or page"
        ref={field}
      />
      <Autocomplete.List className="palette-list" aria-label="Search">
        {(finding: Finding) => (
          <Autocomplete.Item
            // A brand and its overview are two findings with one address.
            key={`${finding.kind} ${finding.to}`}
            value={finding}
            onClick={() => open(finding)}
          >
            <span>{finding.label}</span>
            <span className="soft">{finding.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
      <Autocomplete.Empty className="soft">Nothing found.</Autocomplete.Empty>
      {brandId === undefined && text.trim() !== '' && (
        <p className="soft">
          Beginnings of SKUs, titles and Idempotency-Keys are searched in the brand that is open.
        </p>
      )}
    </Autocomplete.Root>
  );
}

function foundText(kind: string, brand: string | null, id: string): string {
  return `${kind[0]?.toUpperCase()}${kind.slice(1)} ${id.length > 16 ? `${id.slice(0, 14)}…` : id}${
    brand === null ? '' : ` of ${brand}`
  }`;
}
