import type { Feed, FeedLine, FeedRequeue, FeedToken, ListBrandFeedsQuery } from '@brandport/client/admin';
import { Option } from 'commander';
import {
  addBrandCheck,
  addBrandOption,
  addListOptions,
  type BrandOption,
  type ListOptions,
  pageSize,
  parseInteger,
  writeList,
} from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, UsageError } from '../errors.ts';
import type { Columns, ListLayout } from '../output/output.ts';
import { jsonForTerminal } from '../output/visible-text.ts';
import { adminGroup, type Define } from './command.ts';

/** Adds the commands of operators to `feeds`. */
export const defineBrandFeeds: Define = (group, run) => {
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
    .action((options) => run((context) => listFeeds(context, options)));
  addBrandOption(group.command('show').argument('<feed_id>'))
    .description('show a feed with its progress, its place in the queue and who submitted it')
    .action((feedId, options) => run((context) => showFeed(context, feedId, options)));
  addBrandOption(group.command('failed').argument('<feed_id>'))
    .description('list the lines of a feed that did not set the stock, as they were sent')
    .option('--result <results>', 'comma-separated results', failures.join(','))
    .option('--left', leftHelp)
    .addOption(
      new Option('--format <format>', 'csv is to be corrected and sent again')
        .choices(['table', 'csv', 'jsonl'])
        .default('table'),
    )
    .action((feedId, options) => run((context) => listFailedLines(context, feedId, options)));
  addBrandOption(group.command('requeue').argument('<feed_id>'))
    .description('send such lines of a finished feed again, as a new feed; each keeps its time')
    .option('--result <results>', 'comma-separated results', correctable.join(','))
    .option('--left', leftHelp)
    .action((feedId, options) => run((context) => requeueLines(context, feedId, options)));
  defineTokens(group.command('tokens').description('the tokens of the legacy feed path'), run);
  for (const command of group.commands) if (command.helpGroup() === '') command.helpGroup(adminGroup);
};

const feedLayout: ListLayout<Feed> = {
  id: ({ feed_id }) => feed_id,
  columns: {
    brand: 'brand_id',
    feed: 'feed_id',
    source: 'source',
    batch: 'batch_id',
    status: 'status',
    lines: 'received_lines',
    applied: ({ totals }) => totals.applied ?? 0,
    received: 'received_at',
  },
};

interface FeedListOptions extends ListOptions, BrandOption, Pick<ListBrandFeedsQuery, 'status'> {
  readonly allBrands?: boolean;
  readonly source?: string;
}

async function listFeeds(context: CliContext, options: FeedListOptions): Promise<undefined> {
  const { status, source, allBrands, brand } = options;
  if (allBrands === true && brand !== undefined)
    throw new UsageError('--brand and --all-brands exclude each other.');
  const query: ListBrandFeedsQuery = { status, source, per_page: pageSize(options) };
  const call = { signal: context.signal };
  const brandId = allBrands === true ? null : context.brandId(brand);
  const { feeds } = await context.admin();
  const pages = brandId === null ? feeds.list(query, call) : feeds.listOfBrand(brandId, query, call);
  return writeList(context, options, pages, feedLayout);
}

async function showFeed(context: CliContext, feedId: string, { brand }: BrandOption): Promise<undefined> {
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

const leftHelp = 'only failed lines that no later line, re-queue or correction has dealt with';

interface LeftOption {
  readonly left?: boolean;
}

/** The results for which sending a line again can help. */
const correctable: readonly string[] = ['unknown_sku', 'unknown_location', 'not_stockable'];

async function requeueLines(
  context: CliContext,
  feedId: string,
  { brand, result, left }: BrandOption & LeftOption & { readonly result: string },
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const results = result.split(',').map((one) => one.trim()) as unknown as FeedRequeue['results'];
  const { feeds } = await context.admin();
  await context.confirm(
    `Send the ${left === true ? 'failed lines that are left' : 'lines'} of feed ${feedId} with ${results.join(', ')} of brand ${brandId} again?`,
  );
  context.resumeWith('The lines may be queued: `brandport feeds list` shows a batch of the name requeue:….');
  const feed = await feeds.requeue(brandId, feedId, { results, left }, { signal: context.signal });
  context.output.item(feed, { id: ({ feed_id }) => feed_id });
}

/** The results of lines that did not set the stock, except those that a later line of the feed has replaced. */
const failures: readonly string[] = ['unknown_sku', 'unknown_location', 'not_stockable', 'stale'];

interface FailedOptions extends BrandOption, LeftOption {
  readonly result: string;
  readonly format: 'table' | 'csv' | 'jsonl';
}

/** Lists lines page by page: a feed of any size takes little memory. */
async function listFailedLines(
  context: CliContext,
  feedId: string,
  { brand, result, format, left }: FailedOptions,
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const { feeds } = await context.admin();
  const lines = feeds.lines(brandId, feedId, { result, left, per_page: 200 }, { signal: context.signal });
  if (format === 'table') {
    await context.output.list(lines, { id: ({ line }) => line, columns });
    return;
  }
  const textOf = format === 'csv' ? await csvText(context) : (line: FeedLine) => `${jsonForTerminal(line)}\n`;
  for await (const line of lines) context.output.write(textOf(line));
}

/** Writes the head and returns the function that formats a row. */
async function csvText({ output }: CliContext): Promise<(line: FeedLine) => string> {
  const { stringify } = await import('csv-stringify/sync');
  output.write(stringify([fields]));
  return (line) => stringify([fields.map((field) => line[field] ?? '')]);
}

const columns = {
  line: 'line',
  sku: 'sku',
  'location code': 'location_code',
  quantity: 'quantity',
  reserved: 'reserved',
  'updated at': 'updated_at',
  result: 'result',
  message: 'message',
} as const satisfies Columns<FeedLine>;

const fields = Object.values(columns);

const defineTokens: Define = (group, run) => {
  addListOptions(addBrandOption(group.command('list').description('list the feed tokens of a brand'))).action(
    (options) => run((context) => listTokens(context, options)),
  );
  addBrandOption(group.command('create'))
    .description('create a feed token and print it, once; with --quiet, the token alone')
    .requiredOption('--name <name>', 'a label, such as the system that uses the token')
    .action((options) => run((context) => createToken(context, options)));
  addBrandCheck(group.command('delete').argument('<id>'), 'the token')
    .description('delete a feed token; it is refused from then on')
    .action((id, options) => run((context) => deleteToken(context, id, options)));
};

const tokenLayout: ListLayout<FeedToken> = {
  id: ({ id }) => id,
  columns: { id: 'id', name: 'name', token: 'masked', 'last used': 'last_used_at', created: 'created_at' },
};

async function listTokens(context: CliContext, options: ListOptions & BrandOption): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const { keys } = await context.admin();
  const query = { per_page: pageSize(options) };
  return writeList(
    context,
    options,
    keys.listFeedTokens(brandId, query, { signal: context.signal }),
    tokenLayout,
  );
}

async function createToken(
  context: CliContext,
  { brand, name }: BrandOption & { readonly name: string },
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const { keys } = await context.admin();
  context.output.requireReader();
  context.resumeWith('A token may have been created: `brandport feeds tokens list` shows it.');
  const issued = await keys.createFeedToken(brandId, { name }, { signal: context.signal });
  const { id, token } = issued;
  if (token === null)
    throw new CliError(
      `The feed token ${id} was created, but the connection broke before it arrived. Delete it with \`brandport feeds tokens delete ${id}\`, and create another.`,
    );
  context.output.item(issued, { id: () => token });
  await context.output.flushSecret(
    `The feed token ${id} was created, and nobody has it: delete it with \`brandport feeds tokens delete ${id}\`, and create another.`,
  );
  context.tell('The token is shown only this once.');
}

async function deleteToken(context: CliContext, id: string, { brand }: BrandOption): Promise<undefined> {
  const tokenId = parseInteger(id, '<id>', { least: 1 });
  const { keys } = await context.admin();
  if (brand !== undefined) await assertTokenOf(context, tokenId, context.brandId(brand));
  await context.confirm(`Delete the feed token ${tokenId}? The system that uses it can send no more feeds.`);
  await keys.deleteFeedToken(String(tokenId), { signal: context.signal });
  context.tell(`The feed token ${tokenId} was deleted.`);
}

/** @throws UsageError if the brand does not have the token */
async function assertTokenOf(context: CliContext, tokenId: number, brandId: number): Promise<void> {
  const { keys } = await context.admin();
  for await (const { id } of keys.listFeedTokens(brandId, { per_page: 200 }, { signal: context.signal }))
    if (id === tokenId) return;
  throw new UsageError(`The brand ${brandId} has no feed token ${tokenId}. Nothing was deleted.`);
}
