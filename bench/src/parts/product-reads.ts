import { type BenchContext, perSecond, rate } from '../bench-context.ts';
import { type BenchBrand, sampleProducts } from '../data/catalog-data.ts';
import type { Part } from '../part.ts';
import { compare } from '../rounds.ts';

const products = '/v1/client/catalog/products';

/** Reads the detail of products with 3 variants, spread over brand B. */
export const productDetail: Part = {
  name: 'detail',
  async run(context) {
    const { client, service, thin, large, scale } = context;
    const tuIds = await sampleProducts(client, large, 3_200, true);
    const ours = {
      url: service.clientUrl,
      requests: tuIds.map((tuId) => ({ path: `${products}/${tuId}`, headers: large.headers })),
    };
    const bare = {
      url: thin.url,
      requests: tuIds.map((tuId) => ({ path: `/detail/${large.brandId}/${tuId}` })),
    };
    for (const load of [ours, bare]) await rate(context, { ...load, seconds: scale.warmUpSeconds });
    const { a, b, ratio, rounds } = await compare(
      scale.rounds,
      () => rate(context, ours),
      () => rate(context, bare),
    );
    return [
      {
        work: 'product detail with 3 variants, 32 connections',
        measured: perSecond(a),
        yardstick: `thin server ${perSecond(b)}`,
        ratio,
        rounds,
        target: { atLeast: 0.6 },
      },
    ];
  },
};

/** Reads the first page of 50 of both brands and of the thin server. */
export const productList: Part = {
  name: 'list',
  async run(context) {
    const { service, thin, small, large, scale } = context;
    const listOf = ({ headers }: BenchBrand) => ({
      url: service.clientUrl,
      requests: [{ path: `${products}?per_page=50`, headers }],
    });
    const bare = { url: thin.url, requests: [{ path: `/list/${large.brandId}` }] };
    for (const load of [listOf(large), listOf(small), bare])
      await rate(context, { ...load, seconds: scale.warmUpSeconds });
    const againstThin = await compareLoads(context, listOf(large), bare);
    const againstSmall = await compareLoads(context, listOf(large), listOf(small));
    return [
      {
        work: 'list of 50 with all computed fields',
        measured: perSecond(againstThin.a),
        yardstick: `thin server ${perSecond(againstThin.b)}`,
        ratio: againstThin.ratio,
        rounds: againstThin.rounds,
        target: { atLeast: 0.6 },
      },
      {
        work: 'list of 50 in brand B against brand A',
        measured: perSecond(againstSmall.a),
        yardstick: `brand A ${perSecond(againstSmall.b)}`,
        ratio: againstSmall.ratio,
        rounds: againstSmall.rounds,
        target: { atLeast: 0.9 },
      },
    ];
  },
};

type Load = Parameters<typeof rate>[1];

function compareLoads(context: BenchContext, a: Load, b: Load) {
  return compare(
    context.scale.rounds,
    () => rate(context, a),
    () => rate(context, b),
  );
}
