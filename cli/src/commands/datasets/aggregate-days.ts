import { setTimeout as sleep } from 'node:timers/promises';
import type { BrandportAdmin, JobDetail } from '@brandport/client/admin';
import type { BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError } from '../../errors/cli-error.ts';

interface AggregateOptions extends BrandOption {
  readonly from: string;
  readonly to?: string;
  readonly wait: boolean;
}

/** Milliseconds between two looks at the job. */
const pollMs = 1_000;

export async function aggregateDays(context: CliContext, options: AggregateOptions): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const { from, to = from } = options;
  const { datasets, jobs } = await context.admin();
  const { output, signal } = context;
  const begun = await datasets.aggregate(brandId, { from, to }, { signal, timeoutMs: 600_000 });
  if (!('job_id' in begun)) {
    output.item(begun, { id: ({ days }) => days });
    return;
  }
  if (!options.wait) {
    output.item(begun, { id: ({ job_id }) => job_id });
    return;
  }
  context.resumeWith(`The job ${begun.job_id} continues on the server.`);
  context.tell(`The days are aggregated by the job ${begun.job_id}.`);
  const job = await finishedJob(jobs, begun.job_id, signal);
  if (job.state === 'failed')
    throw new CliError(`The job ${job.id} failed: ${job.error ?? 'without a message'}.`);
  output.item(job.result ?? {}, { id: () => job.id });
}

async function finishedJob(
  jobs: BrandportAdmin['jobs'],
  id: string,
  signal: AbortSignal,
): Promise<JobDetail> {
  for (;;) {
    const job = await jobs.get(id, { signal });
    if (job.state === 'completed' || job.state === 'failed') return job;
    await sleep(pollMs, undefined, { signal });
  }
}
