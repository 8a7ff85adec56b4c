import { type BenchContext, type Load, perSecond, rate, warmUp } from '../bench-context.ts';
import { type BenchBrand, sampleProducts } from '../data/catalog-data.ts';
import { type Part, type Ratio, ratioOf, type Target } from '../part.ts';
import { compare } from '../rounds.ts';

const products = '/v1/client/catalog/products';

/** Products that are read again and again: few enough for any cache. */
const repeated = 3_200;
/** Products of one round that reads each once: more than a round can read. */
const once = 30_000;

/**
 * Reads the detail of products with 3 variants, spread over brand B: each product once in many thousand requests, so that
 * no cached response is served, then the same products again and again. The thin server reads the same products.
 */
export const productDetail: Part = {
  name: 'detail',
  async run(context) {
    const { client, service, thin, large } = context;
    const tuIds = await sampleProducts(client, large, once * 3, true);
    const slices = [0, 1, 2].map((n) => tuIds.filter((_, index) => index % 3 === n));
    const ours = (ids: readonly string[]): Load => ({
      on: service.endpoint,
      requests: ids.map((tuId) => ({ path: `${products}/${tuId}`, headers: large.headers })),
    });
    const bare = (ids: readonly string[]): Load => ({
      on: thin,
      requests: ids.map((tuId) => ({ path: `/detail/${large.brandId}/${tuId}` })),
    });
    const sliceOf = (round: number) => slices[round % slices.length] as string[];
    const few = tuIds.slice(0, repeated);
    return [
      await againstThin(context, {
        work: 'product detail with 3 variants, each read once',
        ours: (round) => ours(sliceOf(round)),
        bare: (round) => bare(sliceOf(round)),
        target: { atLeast: 1 },
      }),
      await againstThin(context, {
        work: 'product detail with 3 variants, read repeatedly',
        ours: () => ours(few),
        bare: () => bare(few),
        target: { atLeast: 2 },
      }),
    ];
  },
};

/**
 * Reads the first page of 50: each query once, then one query repeatedly. A name that `sort` ignores tells the queries
 * apart; the work for each is the same.
 */
export const productList: Part = {
  name: 'list',
  async run(context) {
    const { service, thin, small, large, scale } = context;
    const repeatedly = ({ headers }: BenchBrand): Load => ({
      on: service.endpoint,
      requests: [{ path: `${products}?per_page=50`, headers }],
    });
    const each: Load = {
      on: service.endpoint,
      requests: [{ path: `${products}?per_page=50&sort=-updated_at,x{{n}}`, headers: large.headers }],
    };
    const bare: Load = { on: thin, requests: [{ path: `/list/${large.brandId}` }] };
    const lists = [
      await againstThin(context, {
        work: 'list of 50 with all computed fields, each query once',
        ours: () => each,
        bare: () => bare,
        target: { atLeast: 0.9 },
      }),
      await againstThin(context, {
        work: 'list of 50 with all computed fields, one query repeatedly',
        ours: () => repeatedly(large),
        bare: () => bare,
        target: { atLeast: 3 },
      }),
    ];
    for (const brand of [large, small]) await warmUp(context, repeatedly(brand));
    const compared = await compare(
      scale.rounds,
      () => rate(context, repeatedly(large)),
      () => rate(context, repeatedly(small)),
    );
    return [
      ...lists,
      ratioOf(compared, {
        work: 'list of 50 in brand B against brand A',
        format: perSecond,
        yardstick: (value) => `brand A ${perSecond(value)}`,
        target: { atLeast: 0.9 },
      }),
    ];
  },
};

interface ThinComparison {
  readonly work: string;
  ours(round: number): Load;
  bare(round: number): Load;
  readonly target: Target;
}

async function againstThin(
  context: BenchContext,
  { work, ours, bare, target }: ThinComparison,
): Promise<Ratio> {
  // The round before the first one, so that nothing of the first is cached.
  for (const load of [ours(2), bare(2)]) await warmUp(context, load);
  const compared = await compare(
    context.scale.rounds,
    (round) => rate(context, ours(round)),
    (round) => rate(context, bare(round)),
  );
  return ratioOf(compared, {
    work: `${work}, 32 connections`,
    format: perSecond,
    yardstick: (value) => `thin server ${perSecond(value)}`,
    target,
  });
}
