import type { FeedLine } from '@brandport/client/admin';
import type { BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { Column } from '../../output/output.ts';
import { jsonForTerminal } from '../../output/visible-text.ts';

/** The results of lines that did not set the stock, except those that a later line of the feed has replaced. */
export const failures: readonly string[] = ['unknown_sku', 'unknown_location', 'not_stockable', 'stale'];

interface FailedOptions extends BrandOption {
  readonly result: string;
  readonly format: 'table' | 'csv' | 'jsonl';
}

/** Lists lines page by page: a feed of any size takes little memory. */
export async function listFailedLines(
  context: CliContext,
  feedId: string,
  { brand, result, format }: FailedOptions,
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const { feeds } = await context.admin();
  const lines = feeds.lines(brandId, feedId, { result, per_page: 200 }, { signal: context.signal });
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

const fields = [
  'line',
  'sku',
  'location_code',
  'quantity',
  'reserved',
  'updated_at',
  'result',
  'message',
] as const satisfies readonly (keyof FeedLine)[];

const columns: readonly Column<FeedLine>[] = fields.map((field) => ({
  head: field.replaceAll('_', ' '),
  value: (line) => line[field],
}));
