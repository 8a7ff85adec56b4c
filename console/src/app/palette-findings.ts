import { useIsAdministrator, useMayChange } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { type Finding, useBrandFindings } from './brand-findings.ts';
import { messages } from './messages.ts';
import { actionsFor, brandItems, type NavigationItem, usePlatformItems } from './navigation.ts';

const shownBrands = 6;

const keyId = /tuk_[0-9a-f]{24}/;
const partOfKeyId = /^tuk_[0-9a-f]*$/;
const feedId = /^[A-Za-z0-9_-]{21}$/;
const requestId = /^[A-Za-z0-9._-]{8,128}$/;
/** The visible characters of ASCII, as the server accepts them. */
const idempotencyKey = /^[\x21-\x7e]{1,191}$/;
const words = messages.findings;

/**
 * Returns the places for a string: what it names exactly first, then brands, SKUs, keys, titles and learners, then pages and
 * actions, then the ids that only their pages can look up. A key is found in any text around it.
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
  const ofBrand = useBrandFindings(wanted, brandId, key === undefined);
  const mayBeUsed = brandId !== undefined && idempotencyKey.test(wanted) && /\d/.test(wanted);
  const uses = useApi('listIdempotencyKeyUses', { path: [brandId ?? 0, wanted] }, { isEnabled: mayBeUsed });
  const actions = actionsFor(brandId, useIsAdministrator(), useMayChange());
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
        to: `/brands/${brand_id}/feeds/${feed_id}`,
        label: feed_id,
        kind: words.feed(source),
        isId: true,
      })),
    ...(brands.data?.data ?? [])
      .filter(({ name }) => name.toLowerCase().includes(lower))
      .map(({ id, name }) => ({ to: `/brands/${id}`, label: name, kind: words.brand(id) })),
    ...ofBrand,
    ...pagesFor(lower, brandId, platformItems),
    ...actions
      .filter(({ label }) => label.toLowerCase().includes(lower) && wanted !== '')
      .map((action) => ({ ...action, kind: words.action })),
    ...(uses.data?.data ?? []).flatMap(({ state, request_id }) =>
      request_id === null
        ? []
        : [{ to: `/requests/${request_id}`, label: wanted, kind: words.idempotency(state), isId: true }],
    ),
    ...(requestId.test(wanted) && /\d/.test(wanted) && !partOfKeyId.test(wanted)
      ? [{ to: `/requests/${wanted}`, label: wanted, kind: words.request, isId: true }]
      : []),
  ];
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
