import type { Brandport } from '@brandport/client';
import { type InputFile, inputRows } from '../input/input-rows.ts';
import { inParallel } from '../sync/in-parallel.ts';
import { levelKey } from '../sync/wanted/wanted-catalog.ts';

/** The part of a catalog that concerns the SKUs of a file. */
export interface KnownStock {
  /** null: not known. */
  readonly locations: ReadonlySet<string> | null;
  /** SKUs of products with variants, which have no stock themselves. */
  readonly parents: ReadonlySet<string>;
  readonly unknownSkus: ReadonlySet<string>;
  /** The number of SKUs that may belong to variants that were not read. */
  readonly unverified: number;
  /** Stored quantities by `levelKey`. */
  readonly quantities: ReadonlyMap<string, number>;
}

/** Variants are listed by product, a request each. */
const mostParentsRead = 300;

/** Asks the service. Variants without a stock level are looked for only in catalogs with few products that have variants. */
export async function readKnownStock(
  brandport: Brandport,
  skus: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<KnownStock> {
  const { catalog } = brandport;
  const unseen = new Set(skus);
  const parents = new Set<string>();
  const parentIds: string[] = [];
  const quantities = new Map<string, number>();
  const locations = await catalog.locations.list({ per_page: 200 }, { signal }).toArray();
  for await (const { sku, location, quantity } of catalog.stock.levels({ per_page: 200 }, { signal })) {
    if (!skus.has(sku)) continue;
    unseen.delete(sku);
    quantities.set(levelKey(sku, location), quantity);
  }
  const products = catalog.products.list({ sort: 'created_at', per_page: 200 }, { signal });
  for await (const { sku, tu_id: tuId, has_variants: hasVariants } of products) {
    if (sku !== null && unseen.delete(sku) && hasVariants) parents.add(sku);
    if (hasVariants && parentIds.length <= mostParentsRead) parentIds.push(tuId);
  }
  const isReadable = parentIds.length <= mostParentsRead;
  if (unseen.size > 0 && isReadable) {
    const details = inParallel(parentIds, 8, (tuId) => catalog.products.get(tuId, { signal }));
    for await (const { variants } of details) for (const { sku } of variants) unseen.delete(sku ?? '');
  }
  return {
    locations: new Set(locations.map(({ external_code: code }) => code)),
    parents,
    unknownSkus: isReadable ? unseen : new Set(),
    unverified: isReadable ? 0 : unseen.size,
    quantities,
  };
}

/** Reads an export: rows of products and variants as `sync` reads them, or products with `variants` as the API has them. */
export async function readExport(file: InputFile, skus: ReadonlySet<string>): Promise<KnownStock> {
  const unseen = new Set(skus);
  const parents = new Set<string>();
  for await (const { values } of inputRows(file)) {
    const variants = Array.isArray(values['variants']) ? (values['variants'] as { sku?: unknown }[]) : [];
    const sku = String(values['sku'] ?? '');
    const hasVariants = variants.length > 0 || String(values['has_variants']) === 'true';
    if (unseen.delete(sku) && hasVariants) parents.add(sku);
    const parent = String(values['product_sku'] ?? '');
    if (skus.has(parent)) parents.add(parent);
    for (const variant of variants) unseen.delete(String(variant.sku ?? ''));
  }
  return { locations: null, parents, unknownSkus: unseen, unverified: 0, quantities: new Map() };
}
