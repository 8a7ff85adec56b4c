import type { Pages } from '@brandport/client';
import type { Command } from 'commander';
import type { CliContext } from '../context/cli-context.ts';
import type { ListLayout } from '../output/output.ts';
import { parseInteger } from './parse-arguments.ts';

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
  if (seen.total > seen.rows) context.tell(`${seen.rows} of ${seen.total} rows. --all shows all.`);
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
