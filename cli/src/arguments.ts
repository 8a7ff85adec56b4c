import type { Pages } from '@brandport/client';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from './context/cli-context.ts';
import { UsageError } from './errors.ts';
import type { ListLayout } from './output/output.ts';
import { quantity } from './output/quantity.ts';

/** Reads an integer within limits. `name` is the option or argument, for the message. @throws UsageError */
export function parseInteger(
  text: string,
  name: string,
  { least = 0, most = 2_147_483_647 }: { readonly least?: number; readonly most?: number } = {},
): number {
  const value = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`${name} must be an integer from ${least} to ${most}, not '${text}'.`);
  return value;
}

/** Reads the seconds of an option. @throws InvalidArgumentError */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError('It is not a number of seconds.');
  return seconds;
}

/** Reads the id of a brand; undefined stays undefined. @throws UsageError */
export function parseBrandId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,14}$/.test(text))
    throw new UsageError(`'${text}' is not the id of a brand, such as 1.`);
  return Number(text);
}

/** An id of 21 characters that begins with a dash, as one in 64 does. No short option is that long. */
const idWithDash = /^-[\w-]{20}$/;
/** Cannot occur in an argument of a process. */
const mark = '\0';

/** Returns the arguments with ids marked that would be read as options. `unmarkIds` takes the marks off. */
export function markIds(args: readonly string[]): string[] {
  return args.map((arg) => (idWithDash.test(arg) && !arg.startsWith('--') ? mark + arg : arg));
}

/** Takes the marks off what an action receives. */
export function unmarkIds(program: Command): void {
  program.hook('preAction', (_, command) => {
    const { processedArgs } = command;
    for (const [index, value] of processedArgs.entries()) processedArgs[index] = unmarked(value);
    for (const [name, value] of Object.entries(command.opts()))
      if (isMarked(value)) command.setOptionValue(name, unmarked(value));
  });
}

function isMarked(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(mark);
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  return isMarked(value) ? value.slice(mark.length) : value;
}

/** The option of operators' commands about one brand; `context.brandId` reads it. */
export interface BrandOption {
  readonly brand?: string;
}

export function addBrandOption(command: Command): Command {
  return command.option('--brand <id>', "the brand; default: the profile's");
}

/** The option of commands that write to a brand which follows from something else; `context.writer` and `checkBrand` read it. */
export function addBrandCheck(command: Command, subject: string): Command {
  return command.option('--brand <id>', `refuse to write if ${subject} belongs to another brand`);
}

/** The options of commands that list rows. */
export interface ListOptions {
  readonly limit: string;
  readonly all?: boolean;
}

/** The most rows of a page. */
const largestPage = 200;

export function addListOptions(command: Command): Command {
  return command
    .option('--limit <rows>', 'the rows to show', '100')
    .option('--all', 'all rows, without a limit');
}

/** Returns the rows per page that a list is read with. @throws UsageError */
export function pageSize({ limit, all }: ListOptions): number {
  return all === true ? largestPage : Math.min(parseInteger(limit, '--limit', { least: 1 }), largestPage);
}

/** Writes a list up to its limit, and says on standard error if there are more rows. */
export async function writeList<Row>(
  context: CliContext,
  { limit, all }: ListOptions,
  pages: Pages<Row, { readonly total: number }>,
  layout: ListLayout<Row>,
): Promise<undefined> {
  const most = all === true ? Number.POSITIVE_INFINITY : parseInteger(limit, '--limit', { least: 1 });
  const seen = { rows: 0, total: 0 };
  await context.output.list(upTo(most, pages, seen), layout);
  if (seen.total > seen.rows)
    context.tell(`${seen.rows} of ${quantity(seen.total, 'row')}. --all shows all.`);
}

async function* upTo<Row>(
  most: number,
  pages: Pages<Row, { readonly total: number }>,
  seen: { rows: number; total: number },
): AsyncGenerator<Row> {
  for await (const { data, meta } of pages.pages()) {
    seen.total = meta.total;
    for (const row of data.slice(0, most - seen.rows)) {
      yield row;
      seen.rows += 1;
    }
    if (seen.rows >= most) return;
  }
}
