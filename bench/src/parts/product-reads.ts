import type { BenchContext, Load } from '../bench-context.ts';
import { compareLoads } from '../compare-loads.ts';
import { detailLoads, listLoads, thinDetailLoads } from '../loads/read-loads.ts';
import type { Part, Ratio } from '../part.ts';
import { wholePlatform } from './targets.ts';

/** Reads the detail of products with 3 variants: each product once, then the same products again and again. */
export const productDetail: Part = {
  name: 'detail',
  async run(context) {
    const [ours, bare] = [await detailLoads(context), await thinDetailLoads(context)];
    return [
      await againstThin(context, {
        work: 'product detail with 3 variants, each read once',
        ours: ours.once,
        bare: bare.once,
      }),
      await againstThin(context, {
        work: 'product detail with 3 variants, read repeatedly',
        ours: () => ours.repeatedly,
        bare: () => bare.repeatedly,
      }),
    ];
  },
};

/** Reads the first page of 50: each query once, then one query again and again. */
export const productList: Part = {
  name: 'list',
  async run(context) {
    const { thin, large } = context;
    const ours = listLoads(context);
    const bare: Load = { on: thin, requests: [{ path: `/list/${large.brandId}` }] };
    return [
      await againstThin(context, {
        work: 'list of 50 with all computed fields, each query once',
        ours: ours.once,
        bare: () => bare,
      }),
      await againstThin(context, {
        work: 'list of 50 with all computed fields, one query repeatedly',
        ours: () => ours.repeatedly,
        bare: () => bare,
      }),
    ];
  },
};

interface ThinComparison {
  readonly work: string;
  ours(round: number): Load;
  bare(round: number): Load;
}

function againstThin(context: BenchContext, { work, ours, bare }: ThinComparison): Promise<Ratio> {
  return compareLoads(context, {
    work: `${work}, 32 connections`,
    loads: (round) => [ours(round), bare(round)],
    yardstick: 'thin server',
    target: wholePlatform,
  });
}
