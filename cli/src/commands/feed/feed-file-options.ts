import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '../../context/cli-context.ts';
import type { FeedMemory } from '../../feed/feed-memory.ts';
import { type FeedFile, feedColumns } from '../../feed/feed-rows.ts';
import { inputFiles } from '../input-files.ts';

export interface FeedFileOptions {
  readonly delimiter?: string;
  readonly location?: string;
  readonly column?: Record<string, string>;
}

/** The options of a command that reads a file as a feed of a source. */
export interface FeedSourceOptions extends FeedFileOptions {
  readonly source: string;
}

/** Adds the file as argument and the options of a feed of a source; `sourceNote` explains what the source is used for. */
export function addFeedSourceOptions(command: Command, sourceNote: string): Command {
  return addFeedFileOptions(command)
    .argument('<file>', 'CSV or JSONL of stock levels; - is standard input')
    .option('--source <name>', sourceNote, 'brandport-cli');
}

/** Returns the brand of the key, and the memory of the feeds that were sent from this machine. */
export async function openFeedMemory(context: CliContext): Promise<{ brandId: number; memory: FeedMemory }> {
  const { FeedMemory } = await import('../../feed/feed-memory.ts');
  const { catalog } = await context.brandport();
  const { brand_id: brandId } = await catalog.status({ signal: context.signal });
  return { brandId, memory: new FeedMemory(dirname(context.profiles.path)) };
}

/** Adds the options that say how a file of stock levels is read. */
export function addFeedFileOptions(command: Command): Command {
  return command
    .option('--delimiter <character>', 'the delimiter of CSV (default: ,)')
    .option('--location <code>', 'the location of rows that name none')
    .option(
      '--column <column=name>',
      `a column under another name, as sku=article; of ${feedColumns.join(', ')}`,
      addColumn,
    );
}

/** Returns the file of a command line; `-` is the standard input. */
export function feedFile(context: CliContext, path: string, options: FeedFileOptions): FeedFile {
  const [file = { path }] = inputFiles(context, [path], options.delimiter);
  return { ...file, location: options.location, columns: options.column };
}

function addColumn(text: string, columns: Record<string, string> = {}): Record<string, string> {
  const [column = '', name = ''] = text.split(/=(.*)/s);
  if (!feedColumns.some((known) => known === column) || name === '')
    throw new InvalidArgumentError(`It is not a column and its name in the file, such as sku=article.`);
  return { ...columns, [column]: name };
}
