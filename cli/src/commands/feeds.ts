import { dirname } from 'node:path';
import type { FailedLine, FeedSummary, SubmittedFeed } from '@brandport/client';
import type { Command } from 'commander';
import { addBrandCheck, type BrandOption, parseSeconds } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { exitCodes, InputError } from '../errors.ts';
import { type FeedFile, feedColumns } from '../feed/feed-rows.ts';
import type { LintOptions } from '../feed/lint-feed.ts';
import type { ReportedLine } from '../feed/resend-feed.ts';
import type { FeedMemory, SentFeed } from '../feed/send-feed.ts';
import { quantity } from '../output/quantity.ts';
import { defineBrandFeeds } from './brand-feeds.ts';
import { clientGroup, type Define } from './command.ts';
import { columnParser, inputFiles, parseDelimiter } from './input-files.ts';
import { parseShare } from './sync.ts';

export const defineFeeds: Define = (command, run) => {
  defineLint(
    command.command('lint').description('examine a file before it is sent; exits with 3 for errors'),
    run,
  );
  defineSend(command.command('send').description('send a file of stock levels'), run);
  defineWait(command.command('wait').description('wait until every line of a feed is decided'), run);
  defineReport(command.command('report').description('list the lines that did not set the stock'), run);
  defineResend(command.command('resend').description('send the failed lines of a corrected file again'), run);
  for (const own of command.commands) own.helpGroup(clientGroup);
  defineBrandFeeds(command, run);
};

const defineWait: Define = (command, run) => {
  command
    .argument('<feed>', 'a file that was sent, or the id of a feed')
    .option('--deadline <seconds>', 'fail after this time', parseSeconds)
    .addHelpText('after', '\nExits with 5 if lines failed.')
    .action((target: string, { deadline }: { deadline?: number }) =>
      run((context) => wait(context, target, deadline)),
    );
};

async function wait(context: CliContext, target: string, deadline: number | undefined): Promise<number> {
  const { feedOf } = await import('../feed/resend-feed.ts');
  context.resumeWith('The service continues with the feed. Run the same command again to wait for it.');
  const feed = await feedOf(await context.brandport({ isPatient: true }), target);
  return writeOutcome(context, feed, deadline === undefined ? undefined : deadline * 1_000);
}

interface FeedFileOptions {
  readonly delimiter?: string;
  readonly location?: string;
  readonly column?: Record<string, string>;
}

/** The options of a command that reads a file as a feed of a source. */
interface FeedSourceOptions extends FeedFileOptions {
  readonly source: string;
}

/** Adds the file as argument and the options of a feed of a source; `sourceNote` explains what the source is used for. */
function addFeedSourceOptions(command: Command, sourceNote: string): Command {
  return addFeedFileOptions(command)
    .argument('<file>', 'CSV or JSONL of stock levels; - is standard input')
    .option('--source <name>', sourceNote, 'brandport-cli');
}

/** Returns the brand of the key, and the memory of the feeds that were sent from this machine. */
async function openFeedMemory(context: CliContext): Promise<{ brandId: number; memory: FeedMemory }> {
  const { FeedMemory } = await import('../feed/send-feed.ts');
  const { catalog } = await context.brandport();
  const { brand_id: brandId } = await catalog.status({ signal: context.signal });
  return { brandId, memory: new FeedMemory(dirname(context.profiles.path)) };
}

const addColumn = columnParser((column) => feedColumns.some((known) => known === column));

/** Adds the options that say how a file of stock levels is read. */
function addFeedFileOptions(command: Command): Command {
  return command
    .option('--delimiter <character>', 'the delimiter of CSV, or tab (default: ,)', parseDelimiter)
    .option('--location <code>', 'the location of rows that name none')
    .option(
      '--column <column=name>',
      `a column under another name, as sku=article; of ${feedColumns.join(', ')}`,
      addColumn,
    );
}

/** Returns the file of a command line; `-` is the standard input. */
function feedFile(context: CliContext, path: string, options: FeedFileOptions): FeedFile {
  const [file = { path }] = inputFiles(context, [path], options.delimiter);
  return { ...file, location: options.location, columns: options.column };
}

interface LintCommand extends FeedSourceOptions {
  readonly against?: string;
  readonly offline?: boolean;
  readonly maxZeroed?: number;
}

const defineLint: Define = (command, run) => {
  addFeedSourceOptions(command, 'the source whose last feed is compared')
    .option('--against <export>', 'compare with an export (CSV or JSONL with sku) and not with the service')
    .option('--offline', 'examine the file only')
    .option(
      '--max-zeroed <share>',
      'the largest share of levels with stock that may become 0 (default: 50%)',
      parseShare,
    )
    .action((path: string, options: LintCommand) => run((context) => lint(context, path, options)));
};

async function lint(context: CliContext, path: string, options: LintCommand): Promise<number> {
  const { lintFeed } = await import('../feed/lint-feed.ts');
  const feeds = options.offline === true ? null : await openFeedMemory(context);
  const { lines, errors, warnings } = await lintFeed({
    file: feedFile(context, path, options),
    known: await knownStock(context, options),
    last: feeds === null ? null : feeds.memory.find(feeds.brandId, options.source),
    now: Date.now(),
    maxZeroed: options.maxZeroed,
  });
  const problems = [
    ...errors.kept.map((one) => ({ severity: 'error', ...one })),
    ...warnings.kept.map((one) => ({ severity: 'warning', ...one })),
  ];
  const counts = { lines, errors: errors.count, warnings: warnings.count };
  if (context.output.format === 'table') {
    for (const { severity, at, message } of problems)
      context.output.write(`${severity}: ${at}: ${message}\n`);
    const found = [
      quantity(lines, 'line'),
      quantity(errors.count, 'error'),
      quantity(warnings.count, 'warning'),
    ];
    context.output.write(`${found.join(', ')}\n`);
  } else context.output.item({ ...counts, problems }, { id: () => errors.count });
  return errors.count > 0 ? exitCodes.input : exitCodes.done;
}

/** The scopes that a comparison with the service needs. */
const comparedScopes = ['catalog.products:read', 'catalog.stock:read'] as const;

async function knownStock(
  context: CliContext,
  { against, offline, delimiter }: LintCommand,
): Promise<LintOptions['known']> {
  const { readExport, readKnownStock } = await import('../feed/feed-rows.ts');
  const [file] = against === undefined ? [] : inputFiles(context, [against], delimiter);
  if (file !== undefined) return (skus) => readExport(file, skus);
  if (offline === true) return null;
  const brandport = await context.brandport();
  const { scopes } = await brandport.catalog.status({ signal: context.signal });
  const missing = comparedScopes.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return (skus) => readKnownStock(brandport, skus, context.signal);
  context.tell(
    `note: the key lacks ${missing.join(' and ')}: SKUs, locations and quantities are not compared with the service; --against <export> compares SKUs.`,
  );
  return null;
}

interface SendCommand extends FeedSourceOptions, BrandOption {
  readonly batch?: string;
  readonly wait?: boolean;
}

const defineSend: Define = (command, run) => {
  addBrandCheck(addFeedSourceOptions(command, 'the system that the levels come from'), 'the key')
    .option('--batch <id>', 'identifies the feed (default: from the name, time and content of the file)')
    .option('--wait', 'wait until every line is decided; exits with 5 if lines failed')
    .addHelpText(
      'after',
      '\nKeeps what was sent in <file>.feed.json, for wait, report and resend. The same file, sent again, is not applied again.',
    )
    .action((path: string, options: SendCommand) => run((context) => send(context, path, options)));
};

async function send(context: CliContext, path: string, options: SendCommand): Promise<number> {
  const { sendFeed } = await import('../feed/send-feed.ts');
  const { statePathOf } = await import('../feed/send-feed.ts');
  context.resumeWith('Run the same command again: a feed that was received is not applied twice.');
  const file = feedFile(context, path, options);
  const brandport = await context.writer(options.brand, { isPatient: true });
  const { brandId, memory } = await openFeedMemory(context);
  const sent = await sendFeed({
    brandport,
    file,
    source: options.source,
    batchId: options.batch,
    statePath: file.stream === undefined ? statePathOf(path) : null,
    signal: context.signal,
  });
  const last = { lines: sent.state.file_lines, sent_at: new Date().toISOString() };
  memory.remember(brandId, options.source, last);
  if (sent.feed.parts.some(({ isNew }) => !isNew))
    context.tell('note: this feed was sent before; it is not applied again.');
  if (options.wait === true) return writeOutcome(context, sent.feed);
  writeSent(context, sent);
  return exitCodes.done;
}

function writeSent(context: CliContext, { feed, state }: SentFeed): void {
  const feedIds = feed.parts.map(({ feedId }) => feedId);
  const lines = state.places?.length ?? state.file_lines;
  context.output.item({ batch_id: feed.batchId, feed_ids: feedIds, lines }, { id: () => feedIds.join('\n') });
}

interface ResendCommand extends FeedFileOptions, BrandOption {
  readonly wait?: boolean;
}

const defineResend: Define = (command, run) => {
  addBrandCheck(addFeedFileOptions(command), 'the key')
    .argument('<file>', 'the file that was sent; correct its lines in place')
    .option('--wait', 'wait until every line is decided; exits with 5 if lines failed')
    .action((path: string, options: ResendCommand) => run((context) => resend(context, path, options)));
};

async function resend(context: CliContext, path: string, options: ResendCommand): Promise<number> {
  const { resendFeed } = await import('../feed/resend-feed.ts');
  const { findFeedState, statePathOf } = await import('../feed/send-feed.ts');
  const statePath = statePathOf(path);
  const state = await findFeedState(statePath);
  if (state === null) throw new InputError(`${path} was not sent from here: ${statePath} does not exist.`);
  // What was said when it was sent holds, unless it is said again.
  const given = Object.entries(feedFile(context, path, options)).filter(([, value]) => value !== undefined);
  const file: FeedFile = { path, ...state.read_with, ...Object.fromEntries(given) };
  context.resumeWith('Run the same command again: lines that were received are not applied twice.');
  const brandport = await context.writer(options.brand, { isPatient: true });
  const sent = await resendFeed({ brandport, file, state, statePath, signal: context.signal });
  if (sent === null) {
    context.tell('No line failed: there is nothing to send.');
    return exitCodes.done;
  }
  if (options.wait === true) return writeOutcome(context, sent.feed);
  writeSent(context, sent);
  return exitCodes.done;
}

const defineReport: Define = (command, run) => {
  command
    .argument('<feed>', 'a file that was sent, or the id of a feed')
    .option('--result <result...>', 'lines with these results (default: those that did not set the stock)')
    .action((target: string, { result }: { result?: string[] }) =>
      run((context) => report(context, target, result)),
    );
};

async function report(
  context: CliContext,
  target: string,
  results: string[] | undefined,
): Promise<undefined> {
  const { feedOf } = await import('../feed/resend-feed.ts');
  const { findFeedState, statePathOf } = await import('../feed/send-feed.ts');
  const { withOriginals } = await import('../feed/resend-feed.ts');
  const feed = await feedOf(await context.brandport(), target);
  const failed = feed.failedLines({ results, signal: context.signal });
  const state = await findFeedState(statePathOf(target));
  const file = target.replace(/\.feed\.json$/, '');
  await context.output.stream(state === null ? countedLines(failed) : withOriginals(failed, file, state), {
    columns: {
      line: ({ line, at }: ReportedLine) => at ?? line,
      sku: 'sku',
      location: 'location_code',
      result: 'result',
      remedy: 'remedy',
    },
    id: ({ line }) => line,
  });
}

/** The service counts the lines of a feed from 0, the command line from 1. */
async function* countedLines(failed: AsyncIterable<FailedLine>): AsyncGenerator<ReportedLine> {
  for await (const one of failed) yield { ...one, line: one.line + 1, at: null };
}

const good = new Set(['received', 'applied', 'unchanged', 'superseded', 'stale']);

/** Waits for a feed, writes its totals, and returns the exit code: 5 if lines can be corrected and sent again. */
async function writeOutcome(context: CliContext, feed: SubmittedFeed, deadlineMs?: number): Promise<number> {
  const bar = context.progress('Applying lines');
  const { totals } = await feed
    .wait({
      signal: context.signal,
      deadlineMs,
      onProgress: ({ totals: { received = 0, ...results } }) => bar.update(sum(results), received),
    })
    .finally(() => bar.stop());
  const feedIds = feed.parts.map(({ feedId }) => feedId);
  context.output.item(
    { batch_id: feed.batchId, feed_ids: feedIds, totals },
    { id: () => feedIds.join('\n'), fields: () => Object.entries(totals) },
  );
  if (!hasFailures(totals)) return exitCodes.done;
  await tellFailures(context, feed);
  return exitCodes.partial;
}

/** Writes the first failed lines to standard error. */
async function tellFailures(context: CliContext, feed: SubmittedFeed): Promise<void> {
  let shown = 0;
  for await (const { sku, location_code: location, result, remedy } of feed.failedLines({
    signal: context.signal,
  })) {
    if (shown === 20) {
      context.tell('problem: and more; brandport feeds report lists all.');
      return;
    }
    shown += 1;
    context.tell(`problem: ${sku} at ${location}: ${result}${remedy === null ? '' : `: ${remedy}`}`);
  }
}

function hasFailures(totals: FeedSummary['totals']): boolean {
  return Object.entries(totals).some(([result, count]) => !good.has(result) && count > 0);
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
