import type { BenchContext } from './bench-context.ts';
import type { Cpu } from './load/measure-load.ts';
import type { Comparison } from './rounds.ts';

/** One line of the table: the measurement, its yardstick and the target. */
export interface Ratio {
  /** The name of the work in the table. */
  readonly work: string;
  /** The measured figure, with its unit: `4,120 req/s`. */
  readonly measured: string;
  /** The yardstick with its figure: `thin server 6,010 req/s`. */
  readonly yardstick: string;
  /** The median over the rounds. */
  readonly ratio: number;
  /** One ratio per round, in order. */
  readonly rounds: readonly number[];
  readonly target: Target;
  /** Processor time per request, where it was measured. */
  readonly cpu?: { readonly measured: Cpu | null; readonly yardstick: Cpu | null };
}

/** A ratio has a floor, a ceiling, a range, or no target. */
export type Target =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly within: readonly [number, number] }
  | null;

export interface Part {
  /** The name for `--only`. */
  readonly name: string;
  /** It needs the server of `--against`, or also data of its own (`--against-keep`), and is left out without. */
  readonly needs?: 'other' | 'data of the other';
  /** Runs on the data that the previous parts left. */
  run(context: BenchContext): Promise<readonly Ratio[]>;
}

/** Creates the line of a comparison. `format` writes the measured figure, `yardstick` the name and figure of the other. */
export function ratioOf(
  { a, b, ratio, rounds }: Comparison,
  texts: {
    readonly work: string;
    readonly format: (value: number) => string;
    readonly yardstick: (value: number) => string;
    readonly target: Target;
  },
): Ratio {
  return {
    work: texts.work,
    measured: texts.format(a.value),
    yardstick: texts.yardstick(b.value),
    ratio,
    rounds,
    target: texts.target,
    ...((a.cpu ?? b.cpu) !== null && { cpu: { measured: a.cpu, yardstick: b.cpu } }),
  };
}

export function isReached({ ratio, target }: Pick<Ratio, 'ratio' | 'target'>): boolean | null {
  if (target === null) return null;
  if ('atLeast' in target) return ratio >= target.atLeast;
  if ('atMost' in target) return ratio <= target.atMost;
  return ratio >= target.within[0] && ratio <= target.within[1];
}

/** @throws Error when the part returned no ratio, or one that is not a positive finite number */
export function assertMeasured(part: string, ratios: readonly Ratio[]): void {
  if (ratios.length === 0) throw new Error(`the part ${part} measured nothing`);
  for (const { work, ratio, rounds } of ratios)
    if (![ratio, ...rounds].every((each) => Number.isFinite(each) && each > 0))
      throw new Error(`the part ${part} has no valid ratio for "${work}": ${[ratio, ...rounds].join(', ')}`);
}
