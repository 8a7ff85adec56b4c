import type { ListProductsQuery } from '../../../client/src/index.ts';
import type { BrandClient, DemoBrand } from '../client/demo-brand.ts';
import { type ApiResponse, requireStatus } from '../client/demo-client.ts';
import { lastPageOf, pageOf } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { Step } from '../report.ts';
import type { CreatedProduct } from './create-products.ts';
import { fieldDifferences, type ProductBody, type ProductPage } from './product-body.ts';

/** A way to read the whole list. */
export interface Walk {
  readonly pageSize: number;
  readonly sort: string;
}

/**
 * Reads the whole list page by page, and checks that it has every product once, with every field as sent, and no other
 * product.
 */
export async function verifyWalk(
  run: DataSetRun,
  brand: DemoBrand,
  created: readonly CreatedProduct[],
  walk: Walk,
): Promise<void> {
  const name = `read by ${walk.pageSize}, ${walk.sort}`;
  await run.step(brand, name, created.length, async (step) => {
    const missing = new Map(created.map((product) => [product.body.sku, product]));
    // Pages are distributed over the clients: a key may read 300 times a minute, its brand twice as often.
    for (let page = 1; page <= lastPageOf(created.length, walk.pageSize); page++) {
      const client = brand.clients[page % brand.clients.length] as BrandClient;
      const { json } = await list(client, { sort: walk.sort, per_page: walk.pageSize, page });
      compareMeta(step, json.meta, pageOf(created, page, walk.pageSize).meta);
      for (const served of json.data) {
        const product = missing.get(served.sku);
        if (product === undefined) step.differs(`${served.sku}: listed twice, or never sent`);
        else {
          for (const difference of fieldDifferences(product.body, served)) step.differs(difference);
          if (served.tu_id !== product.answer.json.tu_id)
            step.differs(`${served.sku}: another tu_id than at first`);
        }
        missing.delete(served.sku);
        step.advance();
      }
    }
    for (const sku of missing.keys()) step.differs(`${sku}: not listed`);
  });
}

function compareMeta(step: Step, served: ProductPage['meta'], expected: ProductPage['meta']): void {
  for (const name of Object.keys(expected) as (keyof ProductPage['meta'])[])
    if (served[name] !== expected[name])
      step.differs(`page ${expected.current_page}: meta.${name} is ${served[name]}, not ${expected[name]}`);
}

/** The totals of the filters on flags come from stored counters, that of the filter on time from a count. */
const totals: readonly {
  query: ListProductsQuery;
  count(bodies: readonly ProductBody[], withVariants: number): number;
}[] = [
  { query: { is_active: true }, count: (bodies) => bodies.filter((body) => body.is_active).length },
  { query: { is_active: false }, count: (bodies) => bodies.filter((body) => !body.is_active).length },
  { query: { has_variants: false }, count: (bodies, withVariants) => bodies.length - withVariants },
  { query: { has_variants: true }, count: (_, withVariants) => withVariants },
  { query: { updated_since: '1970-01-01T00:00:00Z' }, count: (bodies) => bodies.length },
];

/** Requests the number of products under several filters; the given number of products have variants. */
export async function verifyTotals(
  run: DataSetRun,
  brand: DemoBrand,
  bodies: readonly ProductBody[],
  withVariants = 0,
): Promise<void> {
  await run.step(brand, 'totals', totals.length, async (step) => {
    for (const { query, count } of totals) {
      const { json } = await list(brand.clients[0] as BrandClient, { ...query, per_page: 1 });
      const expected = count(bodies, withVariants);
      if (json.meta.total !== expected)
        step.differs(`${textOf(query)}: total is ${json.meta.total}, not ${expected}`);
      step.advance();
    }
  });
}

async function list(client: BrandClient, query: ListProductsQuery): Promise<ApiResponse<ProductPage>> {
  const page = await client.send((api, call) => api.catalog.products.list(query, call).first());
  requireStatus(page, 200, `GET /catalog/products?${textOf(query)}`);
  return page as ApiResponse<ProductPage>;
}

function textOf(query: ListProductsQuery): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}
