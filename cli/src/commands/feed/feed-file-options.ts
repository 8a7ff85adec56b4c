import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '../../context/cli-context.ts';
import { type FeedFile, feedColumns } from '../../feed/feed-rows.ts';
import { inputFiles } from '../input-files.ts';

export interface FeedFileOptions {
  readonly delimiter?: string;
  readonly location?: string;
  readonly column?: Record<string, string>;
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
