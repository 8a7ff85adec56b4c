import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import type { Brandport, ChangesOptions } from '@brandport/client';
import { type Command, Option } from 'commander';
import { parseSeconds } from '../../arguments/parse-arguments.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';

export interface FollowOptions {
  readonly state: string;
  readonly output?: string;
  readonly follow?: boolean;
  readonly interval?: number;
}

/** Starts to poll for the changes of one kind of resource. */
export type Poll = (
  catalog: Brandport['catalog'],
  options: ChangesOptions,
) => AsyncIterable<{ readonly items: readonly unknown[] }>;

/** Adds the options of `followChanges`. @param item what a line is, with its article */
export function addFollowOptions(command: Command, item: string): Command {
  return command
    .requiredOption('--state <file>', 'keeps the place; it is created when it does not exist')
    .option(
      '--output <file>',
      'append the lines to a file, flushed before the place moves, and not to standard output',
    )
    .option('--follow', 'wait for further changes')
    .option('--interval <seconds>', 'the time between two looks with --follow (default: 5)', parseSeconds)
    .addOption(new Option('--jsonl', `write ${item} a line, as JSON: the only format`))
    .addHelpText(
      'after',
      '\nThe place moves when the lines of a batch are written: a process that is killed loses nothing, and may write the last batch again.',
    );
}

/** Writes changes from the place in the state file, a line of JSON each, until none is left or, with `follow`, until Ctrl-C. */
export async function followChanges(
  context: CliContext,
  { state, output, follow = false, interval }: FollowOptions,
  poll: Poll,
): Promise<undefined> {
  const { fileState } = await import('@brandport/client');
  const { catalog } = await context.brandport();
  context.resumeWith('Run the same command again: it continues after the last batch.');
  const batches = poll(catalog, {
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

export const defineChanges: Define = (command, run) => {
  addFollowOptions(command, 'a product').action((options) =>
    run((context) => followChanges(context, options, ({ products }, own) => products.changes(own))),
  );
};

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
