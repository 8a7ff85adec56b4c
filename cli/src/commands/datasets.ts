import { setTimeout as sleep } from 'node:timers/promises';
import type { BrandportAdmin, DatasetDay, JobDetail } from '@brandport/client/admin';
import {
  addBrandOption,
  addListOptions,
  type BrandOption,
  type ListOptions,
  pageSize,
  writeList,
} from '../arguments.ts';
import { datasetTables } from '../columns/datasets.ts';
import type { CliContext } from '../context/cli-context.ts';
import { CliError } from '../errors.ts';
import type { Define } from './command.ts';

export const defineDatasets: Define = (group, run) => {
  addListOptions(addBrandOption(group.command('days')))
    .description('list the days of a brand, newest first: what is missing, dirty or late')
    .option('--from <day>', 'the first UTC day; default: a year before --to')
    .option('--to <day>', 'the last day; default: yesterday')
    .action((options) => run((context) => listDays(context, options)));
  addListOptions(group.command('lag').description('list the brands, furthest behind first')).action(
    (options) => run((context) => listLag(context, options)),
  );
  addBrandOption(group.command('aggregate'))
    .description('aggregate days again; many days are a job, which is waited for')
    .requiredOption('--from <day>', 'the first UTC day, such as 2026-03-01')
    .option('--to <day>', 'the last day; default: --from')
    .option('--no-wait', 'do not wait for the job')
    .action((options) => run((context) => aggregateDays(context, options)));
};

interface DaysOptions extends ListOptions, BrandOption {
  readonly from?: string;
  readonly to?: string;
}

async function listDays(context: CliContext, options: DaysOptions): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const { datasets } = await context.admin();
  const query = { from: options.from, to: options.to, per_page: pageSize(options) };
  const pages = datasets.calendar(brandId, query, { signal: context.signal });
  return writeList(context, options, pages, {
    id: ({ date }) => date,
    columns: {
      day: 'date',
      aggregated: 'aggregated_at',
      dirty: 'dirty',
      'late events': 'late_events',
      ...Object.fromEntries(
        Object.values(datasetTables).map(({ dataset }) => [
          dataset,
          ({ rows }: DatasetDay) => rows?.[dataset],
        ]),
      ),
    },
  });
}

async function listLag(context: CliContext, options: ListOptions): Promise<undefined> {
  const { datasets } = await context.admin();
  const pages = datasets.lag({ per_page: pageSize(options) }, { signal: context.signal });
  return writeList(context, options, pages, {
    id: ({ brand_id }) => brand_id,
    columns: {
      brand: 'brand_id',
      name: 'name',
      'latest day': 'latest_date',
      'days behind': 'days_behind',
      'dirty days': 'dirty_days',
    },
  });
}

interface AggregateOptions extends BrandOption {
  readonly from: string;
  readonly to?: string;
  readonly wait: boolean;
}

/** Milliseconds between two looks at the job. */
const pollMs = 1_000;

async function aggregateDays(context: CliContext, options: AggregateOptions): Promise<undefined> {
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
