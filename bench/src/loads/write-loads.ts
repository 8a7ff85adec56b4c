import { type Load, loadConnections, type Subject } from '../bench-context.ts';
import { type BenchBrand, filledBrands, makeBrand, sampleProducts } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';

/** Distinguishes the keys of this run: those of an earlier run on the same database would be replays. */
const run = Date.now().toString(36);

/** Writes of one kind. */
export interface WriteLoads {
  /** Spread over 32 brands, one brand for each connection. */
  readonly manyBrands: Load;
  /** All of one brand. */
  readonly oneBrand: Load;
}

/** Adjusts existing levels, each to a quantity that the level does not have. `oneLevel`: all of one level of brand B. */
export async function adjustLoads(subject: Subject): Promise<WriteLoads & { readonly oneLevel: Load }> {
  const count = subject.scale.name === 'full' ? 16_000 : 320;
  const loads = await ofFilledBrands(subject, (brand) =>
    adjustRequests(subject, brand, brand === subject.large ? count : Math.ceil(count / loadConnections)),
  );
  return { ...loads, oneLevel: { ...loads.oneBrand, requests: loads.oneBrand.requests.slice(0, 1) } };
}

/** Changes titles, each time to another one, of 100 products of each brand. */
export function changeLoads(subject: Subject): Promise<WriteLoads> {
  return ofFilledBrands(subject, async (brand) =>
    (await sampleProducts(subject.client, brand, 100, false)).map((tuId, n) => ({
      method: 'PATCH',
      path: `/v1/client/catalog/products/${tuId}`,
      headers: writeHeaders(brand, `change-${run}-${n}-{{n}}`),
      body: JSON.stringify({ title: 'Title {{n}}' }),
    })),
  );
}

/** Adjusts levels in turn of `count` brands, each with so many products. */
export async function adjustsOfBrands(subject: Subject, count: number, products: number): Promise<Load> {
  const { service, client } = subject;
  const names = Array.from({ length: count }, (_, n) => `Adjust ${n} of ${count}`);
  const shape = { products, withVariants: products / 2 };
  const brands = await filledBrands(service, client, names, shape);
  return {
    on: service.endpoint,
    requests: await inTurn(brands, (brand) => adjustRequests(subject, brand, products)),
  };
}

/** Writes of brand B, and of small brands, one for each connection. */
async function ofFilledBrands(
  subject: Subject,
  requestsOf: (brand: BenchBrand) => Promise<LoadRequest[]>,
): Promise<WriteLoads> {
  const { service, client, large, scale } = subject;
  const products = scale.name === 'full' ? 400 : 20;
  const names = Array.from({ length: loadConnections }, (_, n) => `Adjust ${n}`);
  const brands = await filledBrands(service, client, names, { products, withVariants: products / 2 });
  const on = service.endpoint;
  return {
    manyBrands: { on, requests: await inTurn(brands, requestsOf) },
    oneBrand: { on, requests: await requestsOf(large) },
  };
}

/** The first request of each brand, then the second of each, and so on. */
async function inTurn(
  brands: readonly BenchBrand[],
  requestsOf: (brand: BenchBrand) => Promise<LoadRequest[]>,
): Promise<LoadRequest[]> {
  const own: LoadRequest[][] = [];
  for (const brand of brands) own.push(await requestsOf(brand));
  const most = Math.max(...own.map(({ length }) => length));
  return Array.from({ length: most }, (_, n) => own.flatMap((each) => each.slice(n, n + 1))).flat();
}

/** Creates requests that set each level to a quantity that it does not have. */
async function adjustRequests(
  { client }: Pick<Subject, 'client'>,
  brand: BenchBrand,
  count: number,
): Promise<LoadRequest[]> {
  const { rows } = await client.query<{ product: string; variant: string }>(
    `select p.tu_id as product, v.tu_id as variant
     from (select id, tu_id, row_number() over (order by id) as n from products where brand_id = $1 and has_variants) as p
     join variants v on v.brand_id = $1 and v.product_id = p.id and v.deleted_at is null
     where p.n % greatest((select products_with_variants * 3 from brand_catalogs where brand_id = $1) / $2, 1) = 0
     order by hashtext(v.tu_id)
     limit $2`,
    [brand.brandId, count],
  );
  return rows.map(({ product, variant }) => ({
    method: 'POST',
    path: `/v1/client/catalog/products/${product}/stock/adjust`,
    headers: writeHeaders(brand, `adjust-${run}-{{n}}`),
    body: `{"variant":"${variant}","location":"WH-1","quantity":{{n}}}`,
  }));
}

/** Creates products in new brands. */
export async function createLoads({ service }: Subject): Promise<WriteLoads> {
  const [one, ...many] = await Promise.all(
    Array.from({ length: 1 + loadConnections }, (_, n) => makeBrand(service, `Create ${n}`)),
  );
  const load = { on: service.endpoint, expectedStatus: 201 };
  return {
    manyBrands: { ...load, requests: many.map((brand) => createRequest(brand, '{{n}}')) },
    oneBrand: { ...load, requests: [createRequest(one as BenchBrand, '{{n}}')] },
  };
}

/** Repeats one creation: the stored response is returned and nothing is created. */
export async function replayLoad({ service }: Subject): Promise<Load> {
  const { path, ...request } = createRequest(await makeBrand(service, 'Replay'), 'replayed');
  const first = await fetch(service.clientUrl + path, request);
  if (first.status !== 201) throw new Error(await first.text());
  return { on: service.endpoint, requests: [{ path, ...request }], expectedStatus: 201 };
}

/** `number` makes the product unique. */
function createRequest(brand: BenchBrand, number: string) {
  return {
    method: 'POST',
    path: '/v1/client/catalog/products',
    headers: writeHeaders(brand, `create-${number}`),
    body: JSON.stringify({
      sku: `NEW-${number}`,
      title: 'A new product',
      price_value: 12.5,
      is_active: true,
    }),
  } as const;
}

function writeHeaders({ headers }: BenchBrand, key: string) {
  return { ...headers, 'content-type': 'application/json', 'idempotency-key': key };
}
