import type { Job } from '@brandport/client/admin';
import { addListOptions, type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { ListLayout } from '../../output/output.ts';
import type { Define } from '../command.ts';

export const defineJobs: Define = (group, run) => {
  addListOptions(group.command('list').description('list queued, running and failed jobs')).action(
    (options) => run((context) => list(context, options)),
  );
  group
    .command('retry')
    .argument('<id>', 'a failed job')
    .description('run a failed job again')
    .action((id) => run((context) => retry(context, id)));
};

const layout: ListLayout<Job> = {
  id: ({ id }) => id,
  columns: [
    { head: 'job', value: ({ id }) => id },
    { head: 'queue', value: ({ queue }) => queue },
    { head: 'state', value: ({ state }) => state },
    { head: 'retries', value: ({ retries }) => retries },
    { head: 'created', value: ({ created_at }) => created_at },
    { head: 'error', value: ({ error }) => error },
  ],
};

async function list(context: CliContext, options: ListOptions): Promise<undefined> {
  const { jobs } = await context.admin();
  const pages = jobs.list({ per_page: pageSize(options) }, { signal: context.signal });
  return writeList(context, options, pages, layout);
}

async function retry(context: CliContext, id: string): Promise<undefined> {
  const { jobs } = await context.admin();
  context.output.item(await jobs.retry(id, { signal: context.signal }), { id: (job) => job.id });
}
