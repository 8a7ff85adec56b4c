import type { Cpu } from './load/measure-load.ts';

/** One measurement of a round: a figure, and what it cost if that was measured. */
export interface Measured {
  readonly value: number;
  readonly cpu: Cpu;
}

/** One side of a comparison: medians over the rounds. */
export interface Side {
  readonly value: number;
  /** Null when it was not measured. */
  readonly cpu: Cpu | null;
}

export interface Comparison {
  readonly a: Side;
  readonly b: Side;
  /** a / b: the median of the rounds' own ratios. */
  readonly ratio: number;
  readonly rounds: readonly number[];
}

type Measure = (round: number) => Promise<number | Measured>;

/**
 * Measures two things in turn and alternates the order, so that drift (a checkpoint, a warm cache, another process)
 * affects both.
 */
export async function compare(rounds: number, a: Measure, b: Measure): Promise<Comparison> {
  const pairs: [number | Measured, number | Measured][] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await a(round);
      pairs.push([first, await b(round)]);
    } else {
      const first = await b(round);
      pairs.push([await a(round), first]);
    }
  }
  const ratios = pairs.map(([x, y]) => figureOf(x) / figureOf(y));
  return {
    a: sideOf(pairs.map(([x]) => x)),
    b: sideOf(pairs.map(([, y]) => y)),
    ratio: median(ratios),
    rounds: ratios,
  };
}

function figureOf(measured: number | Measured): number {
  return typeof measured === 'number' ? measured : measured.value;
}

function sideOf(all: readonly (number | Measured)[]): Side {
  const costs = all.flatMap((each) => (typeof each === 'number' ? [] : [each.cpu]));
  return { value: median(all.map(figureOf)), cpu: costs.length === 0 ? null : medianCpu(costs) };
}

function medianCpu(costs: readonly Cpu[]): Cpu {
  const medianOf = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : median(known);
  };
  return {
    generator: medianOf(costs.map(({ generator }) => generator)),
    server: medianOf(costs.map(({ server }) => server)),
    postgres: median(costs.map(({ postgres }) => postgres)),
  };
}

/** @throws RangeError when the list is empty */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('no values');
  return (lower + upper) / 2;
}

/** Returns the time of `work` in milliseconds. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
