import type { ResponseOf } from '../api/call.ts';
import { useApi } from '../api/use-api.ts';
import { messages } from './messages.ts';
import { brandItems, type NavigationItem, usePlatformItems } from './navigation.ts';

/** A place that the search offers. */
export interface Finding {
  /** The path below `/console`, with its query. */
  readonly to: string;
  readonly label: string;
  readonly kind: string;
  /** true: the label is an id or a SKU. */
  readonly isId?: boolean;
}

const shownBrands = 6;
const shownSkus = 8;
const keyId = /tuk_[0-9a-f]{24}/;
const feedId = /^[A-Za-z0-9_-]{21}$/;
const requestId = /^[A-Za-z0-9._-]{8,128}$/;
/** The visible characters of ASCII, as the server accepts them. */
const idempotencyKey = /^[\x21-\x7e]{1,191}$/;
const words = messages.findings;

/**
 * Returns the places for a string: what it names exactly first, then brands and SKUs, then pages, then the ids that only their
 * pages can look up. A key is found in any text around it.
 */
export function useFindings(text: string, brandId: string | undefined): readonly Finding[] {
  const platformItems = usePlatformItems();
  const wanted = text.trim();
  const key = keyId.exec(wanted)?.[0];
  const isFeed = feedId.test(wanted);
  const found = useApi('getApiKey', { path: [key ?? ''] }, { isEnabled: key !== undefined });
  const feeds = useApi('listAllFeeds', { query: { feed_id: wanted, per_page: 1 } }, { isEnabled: isFeed });
  const brands = useApi(
    'listBrands',
    { query: { search: wanted, per_page: shownBrands } },
    { isEnabled: key === undefined },
  );
  const skus = useApi(
    'listSkus',
    { path: [brandId ?? 0], query: { prefix: wanted, limit: shownSkus } },
    { isEnabled: brandId !== undefined && wanted !== '' && key === undefined },
  );
  const lower = wanted.toLowerCase();
  if (key !== undefined) {
    if (found.data === undefined) return [];
    const to = `/brands/${found.data.brand_id}/keys/${key}`;
    return [{ to, label: key, kind: words.key(found.data.name), isId: true }];
  }
  // The answers to what was typed before stay until the next ones have arrived: they must not be opened for it.
  return [
    ...(isFeed ? (feeds.data?.data ?? []) : [])
      .filter(({ feed_id }) => feed_id === wanted)
      .map(({ brand_id, feed_id, source }) => ({
        ...{ to: `/brands/${brand_id}/feeds/${feed_id}`, label: feed_id, kind: words.feed(source) },
        isId: true,
      })),
    ...(brands.data?.data ?? [])
      .filter(({ name }) => name.toLowerCase().includes(lower))
      .map(({ id, name }) => ({ to: `/brands/${id}`, label: name, kind: words.brand(id) })),
    ...(wanted === '' || brandId === undefined ? [] : (skus.data?.data ?? []))
      .filter(({ sku }) => sku.startsWith(wanted))
      .flatMap((sku) => skuFindings(`/brands/${brandId}`, sku, wanted)),
    ...pagesFor(lower, brandId, platformItems),
    ...lookUpsFor(wanted, brandId),
  ];
}

/** The product of a SKU; for the SKU itself also the explanation of its stock. */
function skuFindings(
  base: string,
  { sku, kind, tu_id, product_tu_id, is_deleted }: ResponseOf<'listSkus'>['data'][number],
  wanted: string,
): Finding[] {
  const isVariant = kind === 'variant';
  const to = `${base}/products/${product_tu_id}${isVariant ? `?variant=${tu_id}` : ''}`;
  const product = { to, label: sku, kind: words.sku(isVariant, is_deleted), isId: true };
  const stock = `${base}/explain?sku=${encodeURIComponent(sku)}`;
  return sku === wanted ? [product, { to: stock, label: sku, kind: words.explain, isId: true }] : [product];
}

function pagesFor(
  lower: string,
  brandId: string | undefined,
  platformItems: readonly NavigationItem[],
): Finding[] {
  const ofBrand = brandId === undefined ? [] : brandItems;
  return [
    ...ofBrand.map(({ to, label }) => ({ to: `/brands/${brandId}${to}`, label, kind: words.brandPage })),
    ...platformItems.map(({ to, label }) => ({ to, label, kind: words.page })),
  ].filter(({ label }) => label.toLowerCase().includes(lower));
}

/** Ids that are not known before their page is opened: of a request, of a write of the brand. */
function lookUpsFor(wanted: string, brandId: string | undefined): Finding[] {
  const id = encodeURIComponent(wanted);
  return [
    ...(requestId.test(wanted) && /\d/.test(wanted)
      ? [{ to: `/requests/${id}`, label: wanted, kind: words.request, isId: true }]
      : []),
    ...(brandId !== undefined && idempotencyKey.test(wanted) && /\d/.test(wanted)
      ? [
          {
            to: `/brands/${brandId}/idempotency?key=${id}`,
            label: wanted,
            kind: words.idempotency,
            isId: true,
          },
        ]
      : []),
  ];
}
