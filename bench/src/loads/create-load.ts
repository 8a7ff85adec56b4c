import { type Load, loadConnections, type Subject } from '../bench-context.ts';
import { makeBrand } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';

/** Creates products in 32 new brands, one for each connection. */
export async function createLoad({ service }: Subject): Promise<Load> {
  const brands = await Promise.all(
    Array.from({ length: loadConnections }, (_, n) => makeBrand(service, `Create ${n}`)),
  );
  return {
    on: service.endpoint,
    requests: brands.map(({ apiKey }) => createRequest(apiKey, '{{n}}')),
    expectedStatus: 201,
  };
}

/** `number` makes the product unique. */
export function createRequest(apiKey: string, number: string): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/client/catalog/products',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `create-${number}`,
    },
    body: JSON.stringify({
      sku: `NEW-${number}`,
      title: 'A new product',
      price_value: 12.5,
      is_active: true,
    }),
  };
}
