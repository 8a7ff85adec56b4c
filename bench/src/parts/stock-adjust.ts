import { type BenchContext, type Load, loadConnections, perSecond, rate, warmUp } from '../bench-context.ts';
import { type BenchBrand, filledBrands } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';
import { type Part, type Ratio, ratioOf, type Target } from '../part.ts';
import { compare } from '../rounds.ts';
import { type DurableUpdates, openDurableUpdates } from '../yardsticks/durable-updates.ts';

/** Distinguishes the keys of this run: those of an earlier run on the same database would be replays. */
const run = Date.now().toString(36);

/**
 * Adjusts existing levels on 32 connections: one brand per connection, all of brand B with another SKU each time, and one
 * level of brand B.
 */
export const stockAdjust: Part = {
  name: 'adjust',
  async run(context) {
    const { scale, large, postgres } = context;
    const spread = scale.name === 'full' ? 16_000 : 320;
    const ofOne = await adjustRequests(context, large, spread);
    const updates = await openDurableUpdates(postgres, loadConnections, scale.largeProducts * 2);
    const measure = (work: string, requests: readonly LoadRequest[], target: Target) =>
      againstUpdates(context, updates, { work, requests, target });
    try {
      return [
        await measure('stock adjust, spread over SKUs of 32 brands', await ofManyBrands(context, spread), {
          atLeast: 0.3,
        }),
        await measure('stock adjust, spread over SKUs of one brand', ofOne, { atLeast: 0.25 }),
        await measure('stock adjust, 32 at a time of one level', ofOne.slice(0, 1), null),
      ];
    } finally {
      await updates.close();
    }
  },
};

/** The requests of 32 brands in turn, so that each connection has a brand of its own. */
async function ofManyBrands(context: BenchContext, count: number): Promise<LoadRequest[]> {
  const brands = await adjustBrands(context);
  const each = Math.ceil(count / brands.length);
  const own = await Promise.all(brands.map((brand) => adjustRequests(context, brand, each)));
  return Array.from({ length: each }, (_, n) => own.flatMap((requests) => requests.slice(n, n + 1))).flat();
}

async function againstUpdates(
  context: BenchContext,
  updates: DurableUpdates,
  { work, requests, target }: { work: string; requests: readonly LoadRequest[]; target: Target },
): Promise<Ratio> {
  const { scale, service } = context;
  const load: Load = { on: service.endpoint, requests };
  await warmUp(context, load);
  await updates.rate(scale.warmUpSeconds);
  const compared = await compare(
    scale.rounds,
    () => rate(context, load),
    () => updates.rate(scale.roundSeconds),
  );
  return ratioOf(compared, {
    work: `${work}, 32 connections`,
    format: perSecond,
    yardstick: (value) => `durable one-row updates ${perSecond(value, 'rows')}`,
    target,
  });
}

/** Small brands, one for each connection. */
function adjustBrands({ service, client, scale }: BenchContext): Promise<BenchBrand[]> {
  const products = scale.name === 'full' ? 400 : 20;
  const names = Array.from({ length: loadConnections }, (_, n) => `Adjust ${n}`);
  return filledBrands(service, client, names, { products, withVariants: products / 2 });
}

/** Creates requests that set each level to a quantity that it does not have. */
export async function adjustRequests(
  { client }: Pick<BenchContext, 'client'>,
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
