export interface Comparison {
  /** Medians over the rounds. */
  readonly a: number;
  readonly b: number;
  /** a / b: the median of the rounds' own ratios. */
  readonly ratio: number;
  readonly rounds: readonly number[];
}

/**
 * Measures two things in turn and alternates the order, so that drift (a checkpoint, a warm cache, another process)
 * affects both. Each function returns one figure.
 */
export async function compare(
  rounds: number,
  a: (round: number) => Promise<number>,
  b: (round: number) => Promise<number>,
): Promise<Comparison> {
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await a(round);
      pairs.push([first, await b(round)]);
    } else {
      const first = await b(round);
      pairs.push([await a(round), first]);
    }
  }
  const ratios = pairs.map(([x, y]) => x / y);
  return {
    a: median(pairs.map(([x]) => x)),
    b: median(pairs.map(([, y]) => y)),
    ratio: median(ratios),
    rounds: ratios,
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
