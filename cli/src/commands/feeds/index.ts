import type { Feed } from '@brandport/client/admin';
import { addBrandOption, type BrandOption } from '../../arguments/brand-option.ts';
import { addListOptions, type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { ListLayout } from '../../output/output.ts';
import type { Define } from '../command.ts';
import { failures, listFailedLines } from './list-failed-lines.ts';
import { correctable, requeueLines } from './requeue-lines.ts';

export const defineFeeds: Define = (group, run) => {
  addListOptions(addBrandOption(group.command('list').description('list the stock feeds of a brand'))).action(
    (options) => run((context) => list(context, options)),
  );
  addBrandOption(group.command('failed').argument('<feed_id>'))
    .description('list the lines of a feed that did not set the stock, as they were sent')
    .option('--result <results>', 'comma-separated results', failures.join(','))
    .option('--format <format>', 'table, csv (to correct and send again) or jsonl', 'table')
    .action((feedId, options) => run((context) => listFailedLines(context, feedId, options)));
  addBrandOption(group.command('requeue').argument('<feed_id>'))
    .description('send such lines of a finished feed again, as a new feed; each keeps its time')
    .option('--result <results>', 'comma-separated results', correctable.join(','))
    .action((feedId, options) => run((context) => requeueLines(context, feedId, options)));
};

const layout: ListLayout<Feed> = {
  id: ({ feed_id }) => feed_id,
  columns: [
    { head: 'feed', value: ({ feed_id }) => feed_id },
    { head: 'source', value: ({ source }) => source },
    { head: 'batch', value: ({ batch_id }) => batch_id },
    { head: 'status', value: ({ status }) => status },
    { head: 'lines', value: ({ received_lines }) => received_lines },
    { head: 'applied', value: ({ totals }) => totals.applied ?? 0 },
    { head: 'received', value: ({ received_at }) => received_at },
  ],
};

async function list(context: CliContext, options: ListOptions & BrandOption): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const { feeds } = await context.admin();
  const query = { per_page: pageSize(options) };
  return writeList(context, options, feeds.listOfBrand(brandId, query, { signal: context.signal }), layout);
}
