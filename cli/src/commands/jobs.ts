import type { Job, ListJobsQuery } from '@brandport/client/admin';
import { type Command, Option } from 'commander';
import {
  addBrandCheck,
  addListOptions,
  type BrandOption,
  type ListOptions,
  pageSize,
  parseBrandId,
  writeList,
} from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import type { ListLayout } from '../output/output.ts';
import type { Define } from './command.ts';

interface JobFilter {
  readonly brand?: string;
  readonly queue?: string;
}

export const defineJobs: Define = (group, run) => {
  addFilter(addListOptions(group.command('list').description('list queued, running and failed jobs')))
    .addOption(new Option('--state <state>', 'only these jobs').choices(['queued', 'running', 'failed']))
    .action((options) => run((context) => list(context, options)));
  addBrandCheck(group.command('retry').argument('<id>', 'a failed job'), 'the job')
    .description('run a failed job again')
    .action((id, options) => run((context) => retry(context, id, options)));
  addFilter(group.command('retry-all').description('run all failed jobs again, or those that match')).action(
    (options) => run((context) => retryAll(context, options)),
  );
};

function addFilter(command: Command): Command {
  return command
    .option('--brand <id>', 'only jobs that work for this brand')
    .option('--queue <name>', 'only jobs of this queue');
}

/** Returns the filter of the operations. The service checks the values. */
function filterFrom({ brand, queue }: JobFilter): Pick<ListJobsQuery, 'brand_id' | 'queue'> {
  return { brand_id: parseBrandId(brand), queue: queue as ListJobsQuery['queue'] };
}

const layout: ListLayout<Job> = {
  id: ({ id }) => id,
  columns: {
    job: 'id',
    queue: 'queue',
    state: 'state',
    retries: 'retries',
    created: 'created_at',
    error: 'error',
  },
};

async function list(
  context: CliContext,
  options: ListOptions & JobFilter & Pick<ListJobsQuery, 'state'>,
): Promise<undefined> {
  const query = { ...filterFrom(options), state: options.state, per_page: pageSize(options) };
  const { jobs } = await context.admin();
  return writeList(context, options, jobs.list(query, { signal: context.signal }), layout);
}

async function retry(context: CliContext, id: string, { brand }: BrandOption): Promise<undefined> {
  const { jobs } = await context.admin();
  const brandId = (await jobs.get(id, { signal: context.signal })).data?.['brand_id'];
  context.checkBrand(typeof brandId === 'number' ? brandId : null, brand);
  context.output.item(await jobs.retry(id, { signal: context.signal }), { id: (job) => job.id });
}

async function retryAll(context: CliContext, options: JobFilter): Promise<undefined> {
  const filter = filterFrom(options);
  const { jobs } = await context.admin();
  context.checkBrand(filter.brand_id ?? null, options.brand);
  await context.confirm('Run all failed jobs that match again?');
  const done = await jobs.retryAll(filter, { signal: context.signal });
  context.output.item(done, { id: ({ retried }) => retried });
}
