import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes } from '../../errors/cli-error.ts';
import type { LintOptions } from '../../feed/lint-feed.ts';
import type { Define } from '../command.ts';
import { inputFiles } from '../input-files.ts';
import { parseShare } from '../sync/sync.ts';
import {
  addFeedSourceOptions,
  type FeedSourceOptions,
  feedFile,
  openFeedMemory,
} from './feed-file-options.ts';

interface Options extends FeedSourceOptions {
  readonly against?: string;
  readonly offline?: boolean;
  readonly maxZeroed?: number;
}

export const defineLint: Define = (command, run) => {
  addFeedSourceOptions(command, 'the source whose last feed is compared')
    .option('--against <export>', 'compare with an export (CSV or JSONL with sku) and not with the service')
    .option('--offline', 'examine the file only')
    .option(
      '--max-zeroed <share>',
      'the largest share of levels with stock that may become 0 (default: 50%)',
      parseShare,
    )
    .action((path: string, options: Options) => run((context) => lint(context, path, options)));
};

async function lint(context: CliContext, path: string, options: Options): Promise<number> {
  const { lintFeed } = await import('../../feed/lint-feed.ts');
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
    context.output.write(`${lines} lines, ${errors.count} errors, ${warnings.count} warnings\n`);
  } else context.output.item({ ...counts, problems }, { id: () => errors.count });
  return errors.count > 0 ? exitCodes.input : exitCodes.done;
}

async function knownStock(
  context: CliContext,
  { against, offline, delimiter }: Options,
): Promise<LintOptions['known']> {
  const { readExport, readKnownStock } = await import('../../feed/known-stock.ts');
  const [file] = against === undefined ? [] : inputFiles(context, [against], delimiter);
  if (file !== undefined) return (skus) => readExport(file, skus);
  if (offline === true) return null;
  const brandport = await context.brandport();
  return (skus) => readKnownStock(brandport, skus, context.signal);
}
