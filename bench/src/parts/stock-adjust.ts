import { type BenchContext, type Load, loadConnections, perSecond, rate, warmUp } from '../bench-context.ts';
import { adjustLoads } from '../loads/adjust-loads.ts';
import { type Part, type Ratio, ratioOf, type Target } from '../part.ts';
import { compare } from '../rounds.ts';
import { type DurableUpdates, openDurableUpdates } from '../yardsticks/durable-updates.ts';

/** Adjusts stock on 32 connections: of 32 brands, of one brand, and of one level. */
export const stockAdjust: Part = {
  name: 'adjust',
  async run(context) {
    const { scale, postgres } = context;
    const loads = await adjustLoads(context);
    const updates = await openDurableUpdates(postgres, loadConnections, scale.largeProducts * 2);
    const measure = (work: string, load: Load, target: Target) =>
      againstUpdates(context, updates, { work, load, target });
    try {
      return [
        await measure('stock adjust, spread over SKUs of 32 brands', loads.manyBrands, { atLeast: 0.3 }),
        await measure('stock adjust, spread over SKUs of one brand', loads.oneBrand, { atLeast: 0.25 }),
        await measure('stock adjust, 32 at a time of one level', loads.oneLevel, null),
      ];
    } finally {
      await updates.close();
    }
  },
};

async function againstUpdates(
  context: BenchContext,
  updates: DurableUpdates,
  { work, load, target }: { work: string; load: Load; target: Target },
): Promise<Ratio> {
  const { scale } = context;
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
