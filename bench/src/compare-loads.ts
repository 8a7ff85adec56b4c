import {
  type BenchContext,
  type Load,
  latency,
  loadConnections,
  milliseconds,
  perSecond,
  rate,
  warmUp,
} from './bench-context.ts';
import { type Ratio, ratioOf, type Target } from './part.ts';
import { compare } from './rounds.ts';
import { openDurableUpdates } from './yardsticks/durable-updates.ts';

interface LoadComparison {
  readonly work: string;
  /** The measured load and that of the yardstick. */
  loads(round: number): readonly [Load, Load];
  /** The latencies to compare instead of the rates. */
  readonly percentile?: 'p50' | undefined;
  /** The name of the yardstick. */
  readonly yardstick: string;
  readonly target: Target;
}

/** Compares the rates or latencies of two loads, round by round. */
export async function compareLoads(
  context: Pick<BenchContext, 'scale'>,
  { work, loads, percentile, yardstick, target }: LoadComparison,
): Promise<Ratio> {
  // The slice before that of the first round, so that nothing of the first round is cached.
  for (const load of loads(2)) await warmUp(context, load);
  const figure = (load: Load) =>
    percentile === undefined ? rate(context, load) : latency(context, load, percentile);
  const format = percentile === undefined ? perSecond : milliseconds;
  const compared = await compare(
    context.scale.rounds,
    (round) => figure(loads(round)[0]),
    (round) => figure(loads(round)[1]),
  );
  return ratioOf(compared, {
    work,
    format,
    yardstick: (value) => `${yardstick} ${format(value)}`,
    target,
  });
}

interface WriteComparison {
  readonly work: string;
  readonly load: Load;
  readonly target: Target;
}

/** Compares the rates of writes with those of their transactions alone. */
export async function compareWithBare(
  context: BenchContext,
  writes: readonly WriteComparison[],
): Promise<Ratio[]> {
  const { scale, bareWrites } = context;
  const ratios: Ratio[] = [];
  for (const { work, load, target } of writes) {
    await warmUp(context, load);
    const bare = { requests: load.requests, connections: load.connections ?? loadConnections };
    await bareWrites.rate({ ...bare, seconds: scale.warmUpSeconds });
    const compared = await compare(
      scale.rounds,
      () => rate(context, load),
      () => bareWrites.rate({ ...bare, seconds: scale.roundSeconds }),
    );
    const yardstick = (value: number) => `bare writes ${perSecond(value)}`;
    ratios.push(ratioOf(compared, { work, format: perSecond, yardstick, target }));
  }
  return ratios;
}

/** Compares the rate of a write with durable updates of one row on as many connections: the floor of any write. */
export async function compareWithFloor(
  context: BenchContext,
  { work, load, target }: WriteComparison,
): Promise<Ratio> {
  const { scale, postgres } = context;
  const updates = await openDurableUpdates(postgres, loadConnections, scale.largeProducts * 2);
  try {
    await warmUp(context, load);
    await updates.rate(scale.warmUpSeconds);
    const compared = await compare(
      scale.rounds,
      () => rate(context, load),
      () => updates.rate(scale.roundSeconds),
    );
    const yardstick = (value: number) => `durable one-row updates ${perSecond(value, 'rows')}`;
    return ratioOf(compared, { work, format: perSecond, yardstick, target });
  } finally {
    await updates.close();
  }
}
