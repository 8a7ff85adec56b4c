import type { ResponseOf } from '../api/call.ts';
import { useApi } from '../api/use-api.ts';
import { useKeys } from '../parts/links.tsx';
import { shownName } from '../parts/shown-name.ts';
import { messages } from './messages.ts';

/** A place that the search offers. */
export interface Finding {
  /** The path below `/console`, with its query. */
  readonly to: string;
  readonly label: string;
  readonly kind: string;
  /** true: the label is an id or a SKU. */
  readonly isId?: boolean;
}

const shownSkus = 8;
const shownTitles = 5;
const shownKeys = 5;
const words = messages.findings;

/** Returns the SKUs, keys, titles and learners of the open brand for a string; none if `isEnabled` is false. */
export function useBrandFindings(
  wanted: string,
  brandId: string | undefined,
  isEnabled: boolean,
): readonly Finding[] {
  const isAsked = isEnabled && brandId !== undefined && wanted !== '';
  const path = [brandId ?? 0] as const;
  const options = { isEnabled: isAsked };
  const skus = useApi('listSkus', { path, query: { prefix: wanted, limit: shownSkus } }, options);
  const titled = useApi('listSkus', { path, query: { title: wanted || ' ', limit: shownTitles } }, options);
  const keys = useKeys(brandId ?? 0, options);
  const learners = useApi('listLearners', { path, query: { tu_id: wanted } }, options);
  if (!isAsked) return [];
  const base = `/brands/${brandId}`;
  const lower = wanted.toLowerCase();
  // The answers to what was typed before stay until the next ones have arrived: they must not be opened for it.
  return [
    ...(skus.data?.data ?? [])
      .filter(({ sku }) => sku.startsWith(wanted))
      .flatMap((sku) => skuFindings(base, sku, wanted)),
    ...(keys.data?.data ?? [])
      .filter(({ key_id, name }) => name.toLowerCase().includes(lower) || key_id.startsWith(lower))
      .slice(0, shownKeys)
      .map(({ key_id, name }) => ({
        to: `${base}/keys/${key_id}`,
        label: shownName(name),
        kind: words.keyOf(key_id),
      })),
    ...(titled.data?.data ?? [])
      .filter(({ title }) => title.toLowerCase().includes(lower))
      .map(({ sku, title, product_tu_id }) => ({
        to: `${base}/products/${product_tu_id}`,
        label: shownName(title),
        kind: words.titled(sku),
      })),
    ...(learners.data?.data ?? [])
      .filter(({ tu_id }) => tu_id === wanted)
      .map(({ tu_id }) => ({
        to: `${base}/learners/${encodeURIComponent(tu_id)}`,
        label: tu_id,
        kind: words.learner,
        isId: true,
      })),
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
