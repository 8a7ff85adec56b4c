import { type BenchContext, loadConnections, perSecond, rate } from '../bench-context.ts';
import type { BenchBrand } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';
import type { Part } from '../part.ts';
import { compare } from '../rounds.ts';
import { openDurableUpdates } from '../yardsticks/durable-updates.ts';

/** Distinguishes the keys of this run: those of an earlier run on the same database would be replays. */
const run = Date.now().toString(36);

/** Adjusts existing levels of brand B, each of another SKU. */
export const stockAdjust: Part = {
  name: 'adjust',
  async run(context) {
    const { service, scale } = context;
    const load = {
      url: service.clientUrl,
      requests: await adjustRequests(context, context.large, scale.name === 'full' ? 16_000 : 320),
    };
    const updates = await openDurableUpdates(
      context.postgres.address,
      loadConnections,
      scale.largeProducts * 2,
    );
    await rate(context, { ...load, seconds: scale.warmUpSeconds });
    await updates.rate(scale.warmUpSeconds);
    const { a, b, ratio, rounds } = await compare(
      scale.rounds,
      () => rate(context, load),
      () => updates.rate(scale.roundSeconds),
    );
    await updates.close();
    return [
      {
        work: 'stock adjust, 32 connections, spread over SKUs',
        measured: perSecond(a),
        yardstick: `durable one-row updates ${perSecond(b, 'rows')}`,
        ratio,
        rounds,
        target: { atLeast: 0.35 },
      },
    ];
  },
};

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
