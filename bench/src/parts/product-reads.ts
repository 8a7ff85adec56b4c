import { type BenchContext, type Load, perSecond, rate, warmUp } from '../bench-context.ts';
import { detailLoads, listLoads, thinDetailLoads } from '../loads/read-loads.ts';
import { type Part, type Ratio, ratioOf, type Target } from '../part.ts';
import { compare } from '../rounds.ts';

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
    const { thin, small, large, scale } = context;
    const ours = listLoads(context);
    const ofSmall = listLoads({ ...context, large: small });
    const bare: Load = { on: thin, requests: [{ path: `/list/${large.brandId}` }] };
    const lists = [
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
    ];
    await warmUp(context, ofSmall.once(0));
    const compared = await compare(
      scale.rounds,
      (round) => rate(context, ours.once(round)),
      (round) => rate(context, ofSmall.once(round)),
    );
    return [
      ...lists,
      ratioOf(compared, {
        work: 'list of 50 in brand B against brand A, each query once',
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
  // The slice before that of the first round, so that nothing of the first round is cached.
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
