import type { DemoBrand, Scope } from '../client/demo-brand.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import { type CreatedProduct, createProducts, resendProducts } from './create-products.ts';
import type { ProductBody } from './product-body.ts';
import { verifyTotals, verifyWalk, type Walk } from './read-products.ts';

const walks: readonly Walk[] = [
  { pageSize: 200, sort: 'sku' },
  { pageSize: 50, sort: '-updated_at' },
  { pageSize: 7, sort: 'created_at' },
];
const lastWalk: Walk = { pageSize: 200, sort: '-created_at' };

/**
 * Creates the products in a new brand and reads them back by pages of several sizes. Then sends every request again
 * with its Idempotency-Key, and expects the first responses and an unchanged catalog. `scopes` are those of the brand's
 * keys, for the steps that follow.
 */
export async function roundTripProducts(
  run: DataSetRun,
  bodies: readonly ProductBody[],
  scopes: readonly Scope[] = ['catalog.products:read', 'catalog.products:write'],
): Promise<{ brand: DemoBrand; created: readonly CreatedProduct[] }> {
  const brand = await run.newBrand(scopes);
  run.announce(brand, `${bodies.length.toLocaleString('en')} products`);

  const created = await createProducts(run, brand, bodies);
  await verifyTotals(run, brand, bodies);
  for (const walk of walks) await verifyWalk(run, brand, created, walk);
  await resendProducts(run, brand, created);
  await verifyTotals(run, brand, bodies);
  await verifyWalk(run, brand, created, lastWalk);
  return { brand, created };
}

/**
 * Returns at most the given number of records, those with characters beyond ASCII first, since they are the most
 * error-prone.
 */
export function partOf<T>(records: readonly T[], part: number | null): readonly T[] {
  if (part === null) return records;
  const isPlain = (record: T) => /^[\x20-\x7e]*$/.test(JSON.stringify(record));
  return [...records.filter((record) => !isPlain(record)), ...records.filter(isPlain)].slice(0, part);
}
