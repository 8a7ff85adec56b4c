import { join } from 'node:path';
import { brandRequestsPerMinute, createDemoBrand, type DemoBrand, type Target } from './client/demo-brand.ts';
import type { BrandLimits, DataSet, DataSetRun } from './data-sets/data-set.ts';
import { type Output, type Progress, startProgress } from './progress.ts';
import { Step, type StepResult } from './report.ts';

export interface DemoOptions {
  readonly target: Target;
  /** The folder with one folder per data set. */
  readonly dataDir: string;
  readonly dataSets: readonly DataSet[];
  /** The maximum number of records of each data set; null = all. */
  readonly part: number | null;
  readonly output: Output;
  /** Its reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * Runs the data sets one after the other, each in a new brand, and returns the results of all steps.
 * @throws DemoError if it cannot continue; differences alone do not stop it
 */
export async function runDemo(options: DemoOptions): Promise<StepResult[]> {
  const results: StepResult[] = [];
  // Any early end of the run aborts all requests.
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  try {
    for (const dataSet of options.dataSets)
      await dataSet.run(runOf(dataSet, { ...options, signal }, results));
    return results;
  } finally {
    ending.abort();
  }
}

function runOf(dataSet: DataSet, options: DemoOptions, results: StepResult[]): DataSetRun {
  const { target, dataDir, part, output, signal } = options;
  let progress: Progress | null = null;

  async function step<T>(
    brand: DemoBrand,
    name: string,
    total: number,
    work: (step: Step) => Promise<T>,
  ): Promise<T> {
    const before = { ...brand.traffic };
    const startedAt = performance.now();
    const shown = startProgress(output, name, total);
    progress = shown;
    const current = new Step((records) => shown.update(records));
    try {
      return await work(current);
    } finally {
      progress = null;
      shown.end();
      results.push({
        dataSet: dataSet.name,
        name,
        records: current.records,
        traffic: {
          requests: brand.traffic.requests - before.requests,
          refused: brand.traffic.refused - before.refused,
          repeated: brand.traffic.repeated - before.repeated,
        },
        durationMs: performance.now() - startedAt,
        differences: current.differences,
      });
    }
  }

  return {
    dir: join(dataDir, dataSet.name),
    part,
    step,
    newBrand: (scopes) =>
      createDemoBrand(target, {
        name: `Real data: ${dataSet.name}`,
        scopes,
        signal,
        onWait: (ms) => progress?.note(`waiting ${Math.ceil(ms / 1000)} s`),
      }),
    announce: (brand, what, limits = catalogLimits(brand)) =>
      void output.write(`${dataSet.name}: ${what} in brand ${brand.id}, ${paceOf(brand, limits)}\n`),
  };
}

const catalogLimits = ({ clients }: DemoBrand): BrandLimits => ({
  requestsPerMinute: brandRequestsPerMinute,
  keys: clients.length,
});

function paceOf({ isLimited }: DemoBrand, { requestsPerMinute, keys }: BrandLimits): string {
  return isLimited ? `${requestsPerMinute} requests a minute with ${keys} keys` : 'no limits';
}
