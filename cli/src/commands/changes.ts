import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { type Brandport, type ChangesOptions, isBrandportError } from '@brandport/client';
import { parseSeconds } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import type { Define } from './command.ts';

interface Options {
  readonly state: string;
  readonly stock?: boolean;
  readonly output?: string;
  readonly follow?: boolean;
  readonly interval?: number;
}

export const defineChanges: Define = (command, run) => {
  command
    .requiredOption('--state <file>', 'keeps the place; it is created when it does not exist')
    .option('--stock', 'the stock levels that changed, all at first, instead of the products')
    .option(
      '--output <file>',
      'append the lines to a file, flushed before the place moves, and not to standard output',
    )
    .option('--follow', 'wait for further changes')
    .option('--interval <seconds>', 'the time between two looks with --follow (default: 5)', parseSeconds)
    .addHelpText(
      'after',
      '\nWrites a product or a level a line, as JSON. The place moves when the lines of a batch are written: a process that is\nkilled loses nothing, and may write the last batch again. Products and levels have a file of their own each.',
    )
    .action((options: Options) => run((context) => followChanges(context, options)));
};

/**
 * Writes changes from the place in the state file, a line of JSON each, until none is left or, with `follow`, until Ctrl-C.
 * @throws CliError if the service no longer knows the place of the stock
 */
async function followChanges(context: CliContext, options: Options): Promise<undefined> {
  const { state, stock = false, output, follow = false, interval } = options;
  const { fileState } = await import('@brandport/client');
  const { catalog } = await context.brandport({ isPatient: true });
  context.resumeWith('Run the same command again: it continues after the last batch.');
  const polling: ChangesOptions = {
    state: fileState(state),
    follow,
    intervalMs: interval === undefined ? undefined : interval * 1_000,
    signal: context.signal,
  };
  const file = output === undefined ? null : new LineFile(output);
  try {
    for await (const items of batches(catalog, stock, polling)) {
      const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
      // The place is saved when the loop asks for the next batch.
      if (file !== null) file.append(text);
      else {
        context.output.write(text);
        await context.output.flush();
      }
    }
  } catch (error) {
    if (isBrandportError(error, 'validation_failed') && error.errors['changed_after'] !== undefined)
      context.tell(
        `The place in ${state} is older than the changes that the service keeps, or from before a restore. Remove the file and your copy of the levels, and run the command again: it begins with all levels.`,
      );
    throw error;
  } finally {
    file?.close();
  }
}

async function* batches(
  { products, stock }: Brandport['catalog'],
  isStock: boolean,
  options: ChangesOptions,
): AsyncGenerator<readonly unknown[]> {
  if (isStock) for await (const { items } of stock.changes(options)) yield items;
  else for await (const { items } of products.changes(options)) yield items;
}

/** A file to which whole lines are appended. A line that a kill has cut is removed when the file is opened. */
class LineFile {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a+', 0o600);
    ftruncateSync(this.#file, this.#endOfLastLine());
  }

  /** Makes the text durable. @param text ends with a line feed */
  append(text: string): void {
    writeFileSync(this.#file, text);
    fdatasyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #endOfLastLine(): number {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    for (let end = fstatSync(this.#file).size; end > 0; ) {
      const start = Math.max(0, end - chunk.length);
      readSync(this.#file, chunk, 0, end - start, start);
      const at = chunk.subarray(0, end - start).lastIndexOf(10);
      if (at >= 0) return start + at + 1;
      end = start;
    }
    return 0;
  }
}
