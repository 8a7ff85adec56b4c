import { scopes } from '../../src/api/access.ts';
import { newLocation, newSimple, newStockedParent } from '../../src/catalog/stock/tests/stock.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { Place } from './level-history.ts';

export interface Ground {
  readonly apiKey: string;
  /** Five levels of three products; none of them exists yet. */
  readonly places: readonly Place[];
  /** The only place of its product, so that the product's stock summary shows this level. */
  readonly alone: Place;
}

/** Creates a brand with few places, so that requests conflict. */
export async function newGround(server: ServerProcess): Promise<Ground> {
  const { id: brandId } = await ok(server.admin.post('/brands', { name: 'Levels' }), 201);
  const key = await ok(server.admin.post(`/brands/${brandId}/keys`, { name: 'Levels', scopes }), 201);
  const client = server.clientWith(key.api_key);
  for (const code of ['A', 'B']) await newLocation(client, code);
  const simple = await newSimple(client, 'SIMPLE');
  const single = await newSimple(client, 'SINGLE');
  const { product, variants } = await newStockedParent(client, 'PARENT', 2);
  const placeOf = (
    sku: string,
    productTuId: string,
    location: string,
    variantTuId: string | null = null,
  ): Place => ({
    key: `${sku}@${location}`,
    sku,
    productTuId,
    variantTuId,
    location,
  });
  const alone = placeOf('SINGLE', single.tu_id, 'A');
  return {
    apiKey: key.api_key,
    alone,
    places: [
      alone,
      placeOf('SIMPLE', simple.tu_id, 'A'),
      placeOf('SIMPLE', simple.tu_id, 'B'),
      ...variants.map((variant: { sku: string; tu_id: string }) =>
        placeOf(variant.sku, product.tu_id, 'A', variant.tu_id),
      ),
    ],
  };
}
