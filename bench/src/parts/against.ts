import { type BenchContext, type Load, latency, milliseconds, type OtherVersion } from '../bench-context.ts';
import { compareLoads } from '../compare-loads.ts';
import { detailLoads, listLoads, refusedDetailLoad } from '../loads/read-loads.ts';
import { adjustLoads, changeLoad, createLoad } from '../loads/write-loads.ts';
import { type Part, type Ratio, ratioOf, type Target } from '../part.ts';
import { compare } from '../rounds.ts';

/** Compares this server with that of another checkout (`--against`), request by request. */
export const againstOther: Part = {
  name: 'against',
  needs: 'other',
  async run(context) {
    const { other } = context;
    if (other === null) throw new Error('the part against needs --against <checkout>');
    const adjusts = [await adjustLoads(context), await adjustLoads(other)] as const;
    const creates = [await createLoad(context), await createLoad(other)] as const;
    const changes = [await changeLoad(context), await changeLoad(other)] as const;
    const details = [await detailLoads(context), await detailLoads(other)] as const;
    const refused = [await refusedDetailLoad(context), await refusedDetailLoad(other)] as const;
    const lists = [listLoads(context), listLoads(other)] as const;
    const yardstick = other.name;
    const rates = (work: string, loads: readonly [Load, Load], target: Target = null) =>
      compareLoads(context, { work: `${work}, 32 connections`, loads: () => loads, yardstick, target });
    return [
      await compareLatency(context, other, [adjusts[0].oneBrand, adjusts[1].oneBrand]),
      await rates('stock adjust, 32 brands', [adjusts[0].manyBrands, adjusts[1].manyBrands]),
      await rates('stock adjust, one brand', [adjusts[0].oneBrand, adjusts[1].oneBrand]),
      await rates('stock adjust, one level', [adjusts[0].oneLevel, adjusts[1].oneLevel], { atLeast: 1 }),
      await rates('product create, 32 brands', creates),
      await rates('product change, 32 brands', changes),
      await compareLoads(context, {
        work: 'product detail, each read once, 32 connections',
        loads: (round) => [details[0].once(round), details[1].once(round)],
        yardstick,
        target: null,
      }),
      await rates('product detail, read repeatedly', [details[0].repeatedly, details[1].repeatedly]),
      await rates('product detail, every second one refused', refused, { atLeast: 0.97 }),
      await rates('list of 50, each query once', [lists[0].once(0), lists[1].once(0)]),
      await rates('list of 50, one query repeatedly', [lists[0].repeatedly, lists[1].repeatedly]),
    ];
  },
};

async function compareLatency(
  context: BenchContext,
  { name }: OtherVersion,
  loads: readonly [Load, Load],
): Promise<Ratio> {
  const { rounds, warmUpSeconds } = context.scale;
  const [ours, theirs] = [
    { ...loads[0], connections: 1 },
    { ...loads[1], connections: 1 },
  ];
  for (const load of [ours, theirs]) await latency(context, { ...load, seconds: warmUpSeconds });
  const compared = await compare(
    rounds,
    () => latency(context, ours),
    () => latency(context, theirs),
  );
  return ratioOf(compared, {
    work: 'latency of a stock adjust on one connection, p50',
    format: milliseconds,
    yardstick: (value) => `${name} ${milliseconds(value)}`,
    target: { atMost: 0.8 },
  });
}
