import { InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';

interface Options {
  readonly state: string;
  readonly output?: string;
  readonly follow?: boolean;
  readonly interval?: number;
}

export const defineChanges: Define = (command, run) => {
  command
    .requiredOption('--state <file>', 'keeps the place; it is created when it does not exist')
    .option(
      '--output <file>',
      'append the lines to a file, flushed before the place moves, and not to standard output',
    )
    .option('--follow', 'wait for further changes')
    .option('--interval <seconds>', 'the time between two looks with --follow (default: 5)', parseSeconds)
    .addOption(new Option('--jsonl', 'write a product a line, as JSON: the only format'))
    .addHelpText(
      'after',
      '\nThe place moves when the lines of a batch are written: a process that is killed loses nothing, and may write the last batch again.',
    )
    .action((options: Options) => run((context) => changes(context, options)));
};

async function changes(
  context: CliContext,
  { state, output, follow = false, interval }: Options,
): Promise<undefined> {
  const { fileState } = await import('@brandport/client');
  const { LineFile } = await import('../../changes/line-file.ts');
  const brandport = await context.brandport();
  context.resumeWith('Run the same command again: it continues after the last batch.');
  const batches = brandport.catalog.products.changes({
    state: fileState(state),
    follow,
    intervalMs: interval === undefined ? undefined : interval * 1_000,
    signal: context.signal,
  });
  const file = output === undefined ? null : new LineFile(output);
  try {
    for await (const { items } of batches) {
      const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
      // The place is saved when the loop asks for the next batch.
      if (file !== null) file.append(text);
      else {
        context.output.write(text);
        await context.output.flush();
      }
    }
  } finally {
    file?.close();
  }
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError('It is not a number of seconds.');
  return seconds;
}
