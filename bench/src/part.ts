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
  /** The measured figure, as a number. */
  readonly figure: number;
  /** One ratio per round, in order. */
  readonly rounds: readonly number[];
  readonly target: Target;
  /** Processor time per request, where it was measured. */
  readonly cpu?: { readonly measured: Cpu | null; readonly yardstick: Cpu | null };
}

/** A floor, a ceiling or a range of the ratio, or of the measured figure, that a user needs. Null: the row has no target. */
export type Target =
  | ({
      /** Default: the ratio. */
      readonly of?: 'figure';
      /** Who needs it, and for what. Gates of a comparison with another version have none. */
      readonly why?: string;
    } & (
      | { readonly atLeast: number }
      | { readonly atMost: number }
      | { readonly within: readonly [number, number] }
    ))
  | null;

export interface Part {
  /** The name for `--only`. */
  readonly name: string;
  /** Required, or the part is skipped: the server of `--against`, its own data (`--against-keep`), or the ClickHouse engine. */
  readonly needs?: 'other' | 'data of the other' | 'ClickHouse';
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
    figure: a.value,
    rounds,
    target: texts.target,
    ...((a.cpu ?? b.cpu) !== null && { cpu: { measured: a.cpu, yardstick: b.cpu } }),
  };
}

export function isReached({
  ratio,
  figure,
  target,
}: Pick<Ratio, 'ratio' | 'figure' | 'target'>): boolean | null {
  if (target === null) return null;
  const value = target.of === 'figure' ? figure : ratio;
  if ('atLeast' in target) return value >= target.atLeast;
  if ('atMost' in target) return value <= target.atMost;
  return value >= target.within[0] && value <= target.within[1];
}

/** @throws Error when the part returned no ratio, or one that is not a positive finite number */
export function assertMeasured(part: string, ratios: readonly Ratio[]): void {
  if (ratios.length === 0) throw new Error(`the part ${part} measured nothing`);
  for (const { work, ratio, rounds } of ratios)
    if (![ratio, ...rounds].every((each) => Number.isFinite(each) && each > 0))
      throw new Error(`the part ${part} has no valid ratio for "${work}": ${[ratio, ...rounds].join(', ')}`);
}
