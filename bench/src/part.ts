import type { BenchContext } from './bench-context.ts';

/** One line of the table: what was measured, what it is held against, and what the target says. */
export interface Ratio {
  /** The work, as the table names it. */
  readonly work: string;
  /** The measured figure, with its unit: `4,120 req/s`. */
  readonly measured: string;
  /** What it is held against, with its figure: `thin server 6,010 req/s`. */
  readonly yardstick: string;
  /** Median over the rounds. */
  readonly ratio: number;
  /** Of each round, in order. */
  readonly rounds: readonly number[];
  readonly target: Target;
}

/** A ratio may have a floor (`at least`), a ceiling (`at most`), or be told without one. */
export type Target =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly within: readonly [number, number] }
  | null;

export interface Part {
  /** For `--only`. */
  readonly name: string;
  /** Runs on the data as the parts before it have left them. */
  run(context: BenchContext): Promise<readonly Ratio[]>;
}

export function isReached({ ratio, target }: Pick<Ratio, 'ratio' | 'target'>): boolean | null {
  if (target === null) return null;
  if ('atLeast' in target) return ratio >= target.atLeast;
  if ('atMost' in target) return ratio <= target.atMost;
  return ratio >= target.within[0] && ratio <= target.within[1];
}
