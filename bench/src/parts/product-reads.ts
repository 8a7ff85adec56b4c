import type { BenchContext, Load } from '../bench-context.ts';
import { compareLoads } from '../compare-loads.ts';
import { detailLoads, listLoads, thinDetailLoads } from '../loads/read-loads.ts';
import type { Part, Ratio, Target } from '../part.ts';

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
        target: { atLeast: 1 },
      }),
      await againstThin(context, {
        work: 'product detail with 3 variants, read repeatedly',
        ours: () => ours.repeatedly,
        bare: () => bare.repeatedly,
        target: { atLeast: 2 },
      }),
    ];
  },
};

/** Reads the first page of 50: each query once, then one query again and again; of both brands and of the thin server. */
export const productList: Part = {
  name: 'list',
  async run(context) {
    const { thin, small, large } = context;
    const ours = listLoads(context);
    const ofSmall = listLoads({ ...context, large: small });
    const bare: Load = { on: thin, requests: [{ path: `/list/${large.brandId}` }] };
    return [
      await againstThin(context, {
        work: 'list of 50 with all computed fields, each query once',
        ours: ours.once,
        bare: () => bare,
        target: { atLeast: 0.9 },
      }),
      await againstThin(context, {
        work: 'list of 50 with all computed fields, one query repeatedly',
        ours: () => ours.repeatedly,
        bare: () => bare,
        target: { atLeast: 3 },
      }),
      await compareLoads(context, {
        work: 'list of 50 in brand B against brand A, each query once',
        loads: (round) => [ours.once(round), ofSmall.once(round)],
        yardstick: 'brand A',
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

function againstThin(context: BenchContext, { work, ours, bare, target }: ThinComparison): Promise<Ratio> {
  return compareLoads(context, {
    work: `${work}, 32 connections`,
    loads: (round) => [ours(round), bare(round)],
    yardstick: 'thin server',
    target,
  });
}
