import type { Load, Subject } from '../bench-context.ts';
import { adjustBrands } from './adjust-loads.ts';

/** Distinguishes the keys of this run: those of an earlier run on the same database would be replays. */
const run = Date.now().toString(36);

/** Changes titles of products of 32 brands, one for each connection, each time to another one. */
export async function changeLoad(subject: Subject): Promise<Load> {
  const brands = await adjustBrands(subject);
  const { rows } = await subject.client.query<{ brand_id: number; tu_id: string }>(
    `select p.brand_id, p.tu_id
     from unnest($1::integer[]) as b (id)
     cross join lateral (select p.brand_id, p.tu_id from products p where p.brand_id = b.id order by p.id limit 100) p`,
    [brands.map(({ brandId }) => brandId)],
  );
  const ofBrands = brands.map(({ brandId, apiKey }) =>
    rows
      .filter((row) => row.brand_id === brandId)
      .map(({ tu_id }, n) => ({
        method: 'PATCH' as const,
        path: `/v1/client/catalog/products/${tu_id}`,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': `change-${run}-${n}-{{n}}`,
        },
        body: JSON.stringify({ title: 'Title {{n}}' }),
      })),
  );
  const each = Math.max(...ofBrands.map(({ length }) => length));
  const requests = Array.from({ length: each }, (_, n) =>
    ofBrands.flatMap((own) => own.slice(n, n + 1)),
  ).flat();
  return { on: subject.service.endpoint, requests };
}
