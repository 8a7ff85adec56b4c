import { useApi } from '../api/use-api.ts';
import { brandItems, platformItems } from './navigation.ts';

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
const requestId = /^[A-Za-z0-9._-]{8,128}$/;

/** Returns the places for a string: what it names exactly first, then brands and SKUs, then pages. */
export function useFindings(text: string, brandId: string | undefined): readonly Finding[] {
  const wanted = text.trim();
  const key = keyId.exec(wanted)?.[0];
  const found = useApi('getApiKey', { path: [key ?? ''] }, { isEnabled: key !== undefined });
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
  return [
    ...(key !== undefined && found.data !== undefined
      ? [
          {
            to: `/brands/${found.data.brand_id}/keys/${key}`,
            label: key,
            kind: `Key ${found.data.name}`,
            isId: true,
          },
        ]
      : []),
    // The answers to what was typed before stay until the next ones have arrived: they must not be opened for it.
    ...(key === undefined ? (brands.data?.data ?? []) : [])
      .filter(({ name }) => name.toLowerCase().includes(lower))
      .map(({ id, name }) => ({ to: `/brands/${id}`, label: name, kind: `Brand ${id}` })),
    ...(wanted === '' ? [] : (skus.data?.data ?? []))
      .filter(({ sku }) => sku.startsWith(wanted))
      .map(({ sku }) => ({
        to: `/brands/${brandId}/explain?sku=${encodeURIComponent(sku)}`,
        label: sku,
        kind: 'Explain its stock',
        isId: true,
      })),
    ...pagesFor(lower, brandId),
    ...(requestId.test(wanted) && /\d/.test(wanted) && key === undefined
      ? [{ to: `/requests/${encodeURIComponent(wanted)}`, label: wanted, kind: 'Request id', isId: true }]
      : []),
  ];
}

function pagesFor(lower: string, brandId: string | undefined): Finding[] {
  const ofBrand = brandId === undefined ? [] : brandItems;
  return [
    ...ofBrand.map(({ to, label }) => ({ to: `/brands/${brandId}${to}`, label, kind: 'Page of the brand' })),
    ...platformItems.map(({ to, label }) => ({ to, label, kind: 'Page' })),
  ].filter(({ label }) => label.toLowerCase().includes(lower));
}
