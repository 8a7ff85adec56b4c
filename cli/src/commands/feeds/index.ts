import type { Feed, FeedRequeue, ListBrandFeedsQuery } from '@brandport/client/admin';
import { Option } from 'commander';
import { addBrandOption, type BrandOption } from '../../arguments/brand-option.ts';
import { addListOptions, type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import type { ListLayout } from '../../output/output.ts';
import type { Define } from '../command.ts';
import { failures, listFailedLines } from './list-failed-lines.ts';

export const defineFeeds: Define = (group, run) => {
  addListOptions(
    addBrandOption(group.command('list').description('list stock feeds, the last received first')),
  )
    .option('--all-brands', 'feeds of all brands that the token may see')
    .addOption(
      new Option('--status <status>', 'only these feeds').choices([
        'queued',
        'processing',
        'completed',
        'failed',
      ]),
    )
    .option('--source <source>', 'only feeds of this source')
    .action((options) => run((context) => list(context, options)));
  addBrandOption(group.command('show').argument('<feed_id>'))
    .description('show a feed with its progress, its place in the queue and who submitted it')
    .action((feedId, options) => run((context) => show(context, feedId, options)));
  addBrandOption(group.command('failed').argument('<feed_id>'))
    .description('list the lines of a feed that did not set the stock, as they were sent')
    .option('--result <results>', 'comma-separated results', failures.join(','))
    .addOption(
      new Option('--format <format>', 'csv is to be corrected and sent again')
        .choices(['table', 'csv', 'jsonl'])
        .default('table'),
    )
    .action((feedId, options) => run((context) => listFailedLines(context, feedId, options)));
  addBrandOption(group.command('requeue').argument('<feed_id>'))
    .description('send such lines of a finished feed again, as a new feed; each keeps its time')
    .option('--result <results>', 'comma-separated results', correctable.join(','))
    .action((feedId, options) => run((context) => requeueLines(context, feedId, options)));
};

const layout: ListLayout<Feed> = {
  id: ({ feed_id }) => feed_id,
  columns: [
    { head: 'brand', value: ({ brand_id }) => brand_id },
    { head: 'feed', value: ({ feed_id }) => feed_id },
    { head: 'source', value: ({ source }) => source },
    { head: 'batch', value: ({ batch_id }) => batch_id },
    { head: 'status', value: ({ status }) => status },
    { head: 'lines', value: ({ received_lines }) => received_lines },
    { head: 'applied', value: ({ totals }) => totals.applied ?? 0 },
    { head: 'received', value: ({ received_at }) => received_at },
  ],
};

interface FeedListOptions extends ListOptions, BrandOption, Pick<ListBrandFeedsQuery, 'status'> {
  readonly allBrands?: boolean;
  readonly source?: string;
}

async function list(context: CliContext, options: FeedListOptions): Promise<undefined> {
  const { status, source, allBrands, brand } = options;
  if (allBrands === true && brand !== undefined)
    throw new UsageError('--brand and --all-brands exclude each other.');
  const query: ListBrandFeedsQuery = { status, source, per_page: pageSize(options) };
  const call = { signal: context.signal };
  const brandId = allBrands === true ? null : context.brandId(brand);
  const { feeds } = await context.admin();
  const pages = brandId === null ? feeds.list(query, call) : feeds.listOfBrand(brandId, query, call);
  return writeList(context, options, pages, layout);
}

async function show(context: CliContext, feedId: string, { brand }: BrandOption): Promise<undefined> {
  const brandId = context.brandId(brand);
  const { feeds } = await context.admin();
  const feed = await feeds.get(brandId, feedId, { signal: context.signal });
  context.output.item(feed, {
    id: ({ feed_id }) => feed_id,
    fields: ({ totals, ...fields }) => [
      ...Object.entries(fields),
      ...Object.entries(totals).map(([result, lines]) => [`lines ${result}`, lines] as const),
    ],
  });
}

/** The results for which sending a line again can help. */
export const correctable: readonly string[] = ['unknown_sku', 'unknown_location', 'not_stockable'];

async function requeueLines(
  context: CliContext,
  feedId: string,
  { brand, result }: BrandOption & { readonly result: string },
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const results = result.split(',').map((one) => one.trim()) as unknown as FeedRequeue['results'];
  const { feeds } = await context.admin();
  await context.confirm(
    `Send the lines of feed ${feedId} with ${results.join(', ')} of brand ${brandId} again?`,
  );
  context.resumeWith('The lines may be queued: `brandport feeds list` shows a batch of the name requeue:….');
  const feed = await feeds.requeue(brandId, feedId, { results }, { signal: context.signal });
  context.output.item(feed, { id: ({ feed_id }) => feed_id });
}
