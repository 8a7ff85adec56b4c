import {
  type BenchContext,
  type Load,
  milliseconds,
  type OtherVersion,
  perSecond,
  rate,
  warmUp,
} from '../bench-context.ts';
import { measureLoad } from '../load/measure-load.ts';
import { adjustLoads } from '../loads/adjust-loads.ts';
import { changeLoad } from '../loads/change-load.ts';
import { createLoad } from '../loads/create-load.ts';
import { detailLoads, listLoads } from '../loads/read-loads.ts';
import { refusedDetailLoad } from '../loads/refused-details.ts';
import { type Part, type Ratio, ratioOf, type Target } from '../part.ts';
import { compare, type Measured } from '../rounds.ts';

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
    const rates = (work: string, loads: readonly [Load, Load], target: Target = null) =>
      compareLoads(context, other, { work: `${work}, 32 connections`, loads: () => loads, target });
    return [
      await compareLatency(context, other, [adjusts[0].oneBrand, adjusts[1].oneBrand]),
      await rates('stock adjust, 32 brands', [adjusts[0].manyBrands, adjusts[1].manyBrands]),
      await rates('stock adjust, one brand', [adjusts[0].oneBrand, adjusts[1].oneBrand]),
      await rates('stock adjust, one level', [adjusts[0].oneLevel, adjusts[1].oneLevel], { atLeast: 1 }),
      await rates('product create, 32 brands', creates),
      await rates('product change, 32 brands', changes),
      await compareLoads(context, other, {
        work: 'product detail, each read once, 32 connections',
        loads: (round) => [details[0].once(round), details[1].once(round)],
        target: null,
      }),
      await rates('product detail, read repeatedly', [details[0].repeatedly, details[1].repeatedly]),
      await rates('product detail, every second one refused', refused, { atLeast: 0.97 }),
      await rates('list of 50, each query once', [lists[0].once(0), lists[1].once(0)]),
      await rates('list of 50, one query repeatedly', [lists[0].repeatedly, lists[1].repeatedly]),
    ];
  },
};

interface Comparing {
  readonly work: string;
  /** The load on this server and on the other. */
  loads(round: number): readonly [Load, Load];
  readonly target: Target;
}

async function compareLoads(
  context: BenchContext,
  { name }: OtherVersion,
  { work, loads, target }: Comparing,
): Promise<Ratio> {
  for (const load of loads(2)) await warmUp(context, load);
  const compared = await compare(
    context.scale.rounds,
    (round) => rate(context, loads(round)[0]),
    (round) => rate(context, loads(round)[1]),
  );
  return ratioOf(compared, {
    work,
    format: perSecond,
    yardstick: (value) => `${name} ${perSecond(value)}`,
    target,
  });
}

async function compareLatency(
  { scale }: BenchContext,
  { name }: OtherVersion,
  [ours, theirs]: readonly [Load, Load],
): Promise<Ratio> {
  const latency = async ({ on, requests }: Load, seconds = scale.roundSeconds): Promise<Measured> => {
    const { p50, cpu } = await measureLoad(on, { connections: 1, seconds, requests, expectedStatus: 200 });
    return { value: p50, cpu };
  };
  for (const load of [ours, theirs]) await latency(load, scale.warmUpSeconds);
  const compared = await compare(
    scale.rounds,
    () => latency(ours),
    () => latency(theirs),
  );
  return ratioOf(compared, {
    work: 'latency of a stock adjust on one connection, p50',
    format: milliseconds,
    yardstick: (value) => `${name} ${milliseconds(value)}`,
    target: { atMost: 0.8 },
  });
}
