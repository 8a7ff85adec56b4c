import type { DataSetRun } from '../data-sets/data-set.ts';
import { createProducts, resendProducts } from './create-products.ts';
import type { ProductBody } from './product-body.ts';
import { requestsOfTotals, verifyTotals, verifyWalk, type Walk } from './read-products.ts';

const walks: readonly Walk[] = [
  { pageSize: 200, sort: 'sku' },
  { pageSize: 50, sort: '-updated_at' },
  { pageSize: 7, sort: 'created_at' },
];
const lastWalk: Walk = { pageSize: 200, sort: '-created_at' };

/**
 * Creates the products in a brand of their own and reads them back by pages of several sizes; then sends every request
 * again with its Idempotency-Key, and expects the first answers and an unchanged catalog.
 */
export async function roundTripProducts(run: DataSetRun, bodies: readonly ProductBody[]): Promise<void> {
  const brand = await run.newBrand(['catalog.products:read', 'catalog.products:write']);
  const pages = [...walks, lastWalk].reduce(
    (sum, { pageSize }) => sum + Math.max(1, Math.ceil(bodies.length / pageSize)),
    0,
  );
  const requests = 2 * bodies.length + pages + 2 * requestsOfTotals;
  run.announce(brand, `${bodies.length.toLocaleString('en')} products`, requests);

  const created = await createProducts(run, brand, bodies);
  await verifyTotals(run, brand, bodies);
  for (const walk of walks) await verifyWalk(run, brand, created, walk);
  await resendProducts(run, brand, created);
  await verifyTotals(run, brand, bodies);
  await verifyWalk(run, brand, created, lastWalk);
}

/** So many products at the most, those with texts beyond ASCII first: they are what goes wrong first. */
export function partOf(bodies: readonly ProductBody[], part: number | null): readonly ProductBody[] {
  if (part === null) return bodies;
  const isPlain = (body: ProductBody) => /^[\x20-\x7e]*$/.test(JSON.stringify(body));
  return [...bodies.filter((body) => !isPlain(body)), ...bodies.filter(isPlain)].slice(0, part);
}
