import { type BenchContext, type Load, loadConnections, perSecond, rate, warmUp } from './bench-context.ts';
import { type Ratio, ratioOf, type Target } from './part.ts';
import { compare } from './rounds.ts';
import { openDurableUpdates } from './yardsticks/durable-updates.ts';

interface LoadComparison {
  readonly work: string;
  /** The measured load and that of the yardstick. */
  loads(round: number): readonly [Load, Load];
  /** The name of the yardstick. */
  readonly yardstick: string;
  readonly target: Target;
}

/** Compares the rates of two loads, round by round. */
export async function compareLoads(
  context: Pick<BenchContext, 'scale'>,
  { work, loads, yardstick, target }: LoadComparison,
): Promise<Ratio> {
  // The slice before that of the first round, so that nothing of the first round is cached.
  for (const load of loads(2)) await warmUp(context, load);
  const compared = await compare(
    context.scale.rounds,
    (round) => rate(context, loads(round)[0]),
    (round) => rate(context, loads(round)[1]),
  );
  return ratioOf(compared, {
    work,
    format: perSecond,
    yardstick: (value) => `${yardstick} ${perSecond(value)}`,
    target,
  });
}

interface WriteComparison {
  readonly work: string;
  readonly load: Load;
  readonly target: Target;
}

/** Compares the rates of writes with durable updates of one row on as many connections. */
export async function compareWrites(
  context: BenchContext,
  writes: readonly WriteComparison[],
): Promise<Ratio[]> {
  const { scale, postgres } = context;
  const updates = await openDurableUpdates(postgres, loadConnections, scale.largeProducts * 2);
  const ratios: Ratio[] = [];
  try {
    for (const { work, load, target } of writes) {
      await warmUp(context, load);
      await updates.rate(scale.warmUpSeconds);
      const compared = await compare(
        scale.rounds,
        () => rate(context, load),
        () => updates.rate(scale.roundSeconds),
      );
      ratios.push(
        ratioOf(compared, {
          work,
          format: perSecond,
          yardstick: (value) => `durable one-row updates ${perSecond(value, 'rows')}`,
          target,
        }),
      );
    }
  } finally {
    await updates.close();
  }
  return ratios;
}
