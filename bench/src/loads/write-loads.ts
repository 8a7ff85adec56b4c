import { type Load, loadConnections, type Subject } from '../bench-context.ts';
import { type BenchBrand, filledBrands, makeBrand } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';

/** Distinguishes the keys of this run: those of an earlier run on the same database would be replays. */
const run = Date.now().toString(36);

/** Adjustments of existing levels, each to a quantity that the level does not have. */
export interface AdjustLoads {
  /** Spread over SKUs of 32 brands, one brand for each connection. */
  readonly manyBrands: Load;
  /** Spread over SKUs of brand B. */
  readonly oneBrand: Load;
  /** All of one level of brand B. */
  readonly oneLevel: Load;
}

export async function adjustLoads(subject: Subject): Promise<AdjustLoads> {
  const { service, large, scale } = subject;
  const on = service.endpoint;
  const count = scale.name === 'full' ? 16_000 : 320;
  const ofOne = await adjustRequests(subject, large, count);
  return {
    manyBrands: { on, requests: await ofManyBrands(subject, count) },
    oneBrand: { on, requests: ofOne },
    oneLevel: { on, requests: ofOne.slice(0, 1) },
  };
}

async function ofManyBrands(subject: Subject, count: number): Promise<LoadRequest[]> {
  const brands = await adjustBrands(subject);
  const each = Math.ceil(count / brands.length);
  const own: LoadRequest[][] = [];
  for (const brand of brands) own.push(await adjustRequests(subject, brand, each));
  return inTurn(own);
}

/** Small brands, one for each connection. */
function adjustBrands({ service, client, scale }: Subject): Promise<BenchBrand[]> {
  const products = scale.name === 'full' ? 400 : 20;
  const names = Array.from({ length: loadConnections }, (_, n) => `Adjust ${n}`);
  return filledBrands(service, client, names, { products, withVariants: products / 2 });
}

/** Creates requests that set each level to a quantity that it does not have. */
async function adjustRequests(
  { client }: Pick<Subject, 'client'>,
  { brandId, apiKey }: BenchBrand,
  count: number,
): Promise<LoadRequest[]> {
  const { rows } = await client.query<{ product: string; variant: string }>(
    `select p.tu_id as product, v.tu_id as variant
     from (select id, tu_id, row_number() over (order by id) as n from products where brand_id = $1 and has_variants) as p
     join variants v on v.brand_id = $1 and v.product_id = p.id and v.deleted_at is null
     where p.n % greatest((select products_with_variants * 3 from brand_catalogs where brand_id = $1) / $2, 1) = 0
     order by hashtext(v.tu_id)
     limit $2`,
    [brandId, count],
  );
  return rows.map(({ product, variant }) => ({
    method: 'POST',
    path: `/v1/client/catalog/products/${product}/stock/adjust`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `adjust-${run}-{{n}}`,
    },
    body: `{"variant":"${variant}","location":"WH-1","quantity":{{n}}}`,
  }));
}

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
  return { on: subject.service.endpoint, requests: inTurn(ofBrands) };
}

/** Takes the requests of brands in turn, so that each connection has its own brand. */
function inTurn(ofBrands: readonly (readonly LoadRequest[])[]): LoadRequest[] {
  const most = Math.max(...ofBrands.map(({ length }) => length));
  return Array.from({ length: most }, (_, n) => ofBrands.flatMap((own) => own.slice(n, n + 1))).flat();
}

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
